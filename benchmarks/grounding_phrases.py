"""The words of the grounding corpus, in two banks: rules are tuned on ``SEEN`` only; ``HELD_BACK`` is for the figures.

``{slots}`` take the facts of a text. The two banks share no sentence, no person and no company.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bank:
    """What texts are put together from."""

    people: tuple[tuple[str, str], ...]
    """Given and family names."""
    companies: tuple[tuple[str, str], ...]
    """The name, and what stands behind it."""
    strangers: tuple[tuple[str, str], ...]
    """People who are in no inputs."""
    inventions: tuple[str, ...]
    """Companies that are in no inputs."""
    sentences: tuple[str, ...]
    fillers: tuple[str, ...]
    """Sentences without a fact."""
    headings: tuple[str, ...]
    subjects: tuple[str, ...]
    greetings: tuple[str, ...]
    closings: tuple[str, ...]
    figures: tuple[str, ...]
    """Sentences around a figure that is in no inputs: ``{invented}``."""
    claims: tuple[str, ...]
    """Sentences around a company that is in no inputs: ``{invented}``."""
    notes: tuple[str, ...]
    """A free text among the inputs."""


SEEN = Bank(
    people=(
        ("Jane", "Doe"), ("Anna", "Weber"), ("Peter", "O'Neil"), ("Luis", "Garcia"), ("Mei", "Chen"),
        ("Jean-Luc", "Martin"), ("Sofia", "van der Berg"), ("Tom", "Baker"), ("Priya", "Raman"), ("Olga", "Petrova"),
        ("Søren", "Holm"), ("Amara", "Okafor"), ("Mark", "Stone"), ("Lucia", "Ferrari"), ("Kenji", "Sato"),
    ),
    companies=(
        ("Northwind", "Robotics GmbH"), ("Bluefin", "Analytics Inc."), ("Harbor & Pine", "Ltd"), ("Kestrel", "Labs"),
        ("Solstice", "Energy AG"), ("Tandem", "Health"), ("Quillworks", "LLC"), ("Meridian", "Capital Partners"),
        ("Ostrava", "Steel"), ("DataForge", "Inc."), ("Lumen", "Ventures"), ("Cobalt", "Systems"),
    ),
    strangers=(
        ("Victor", "Hale"), ("Ingrid", "Solberg"), ("Rahul", "Mehta"), ("Claire", "Dubois"), ("Dmitri", "Volkov"),
        ("Grace", "Hopkins"), ("Will", "Archer"), ("Nadia", "Rahimi"), ("Felix", "Brandt"), ("Rosa", "Marin"),
    ),
    inventions=(
        "Globex", "Initech", "Vandelay Industries", "Hooli", "Stark Materials", "Umbra Software", "Wexford Bank",
        "Pied Piper", "Cyberdyne", "Tyrell Partners", "Zorin Group", "Acme",
    ),
    sentences=(
        "{company} closed the period with revenue of {revenue}.",
        "Revenue came in at {revenue}, which is {growth} above the period before.",
        "We ended the month with {customers} customers.",
        "Monthly burn is {burn}.",
        "The number of paying customers reached {customers}, and revenue reached {revenue}.",
        "On {date} we signed an agreement with {partner}.",
        "{person} joined us on {date} to lead the sales team.",
        "Our next call with {partner} is on {date}.",
        "Questions go to {person} at {email}.",
        "The full report is at {url}.",
        "You will find all the details here: {url}",
        "Growth was {growth} and churn stayed low.",
        "As of {date}, the team spends {burn} a month.",
        "{person} from {partner} has confirmed the meeting on {date}.",
        "Please write to {email} if anything is unclear.",
        "{partner} has asked for {seats} more seats.",
        "Thanks to {person}, {partner} renewed its contract for {seats} seats.",
        "Since {date}, {customers} companies have used the product.",
        "We are grateful to {person} for the introduction to {partner}.",
        "Burn ({burn}) was in line with the plan.",
        "There are {seats} open roles in the team.",
        "Compared with the last update, revenue grew by {growth} to {revenue}.",
        "{person}'s team has moved {partner} to the new version.",
        "The board meets on {date}; {person} will send the agenda.",
    ),
    fillers=(
        "Thank you for your support.", "It was a good week, and we are proud of the team.",
        "Hiring remains our main focus.", "We will share more in the next update.",
        "First, the good news.", "In short, things are going well.", "As always, we are happy to answer questions.",
        "However, the market is slow.", "Overall, the team is in good shape.", "Feedback from users has been kind.",
        "Next, we want to improve onboarding.", "Unfortunately, one of the pilots was delayed.",
        "Customers like the new dashboard.", "I hope you are well.", "More on this in June.", "See you on Monday!",
    ),
    headings=("Highlights", "Key Figures", "Weekly Update", "People", "What Comes Next", "Customers and Partners",
        "Summary"),
    subjects=("Weekly update from {company}", "{company}: Shareholder Update", "Summary of our call",
        "News from {company}"),
    greetings=("Hi {first},", "Dear {person},", "Hello all,", "Dear Shareholders,", "Good morning {first},",
        "Dear Ms. {family},"),
    closings=("Best regards,\n{person}", "Kind regards\n{person}\n{company}", "Cheers,\n{first}",
        "Yours sincerely,\n{person}"),
    figures=(
        "We also added {invented} new users.", "That brings the total to {invented}.",
        "Our pipeline now stands at {invented}.", "This saves {invented} a year.", "It took {invented} days.",
        "Support answered {invented} tickets.",
    ),
    claims=(
        "{invented} is now a customer.", "We are also in talks with {invented}.", "{invented} has shown interest.",
        "In addition, {invented} joined the round.", "The deal with {invented} is close.",
    ),
    notes=(
        "Met {person} of {partner} on {date}. They want {seats} seats; budget {revenue}.",
        "From: {person} <{email}>\nSubject: Contract\n\nWe are ready to sign on {date}.\n{person}\n{partner}",
        "{person} ({partner}) wrote: revenue {revenue}, growth {growth}, see {url}",
    ),
)  # fmt: skip

HELD_BACK = Bank(
    people=(
        ("Hannah", "Fischer"), ("David", "McAllister"), ("Yusuf", "Demir"), ("Chloé", "Laurent"), ("Ewa", "Nowak"),
        ("Ana-Maria", "Ionescu"), ("Pieter", "de Vries"), ("Rose", "Field"), ("Arjun", "Nair"), ("Björn", "Lindqvist"),
        ("Fatima", "Al-Sayed"), ("Frank", "Miller"), ("Giulia", "Conti"), ("Hiro", "Tanaka"), ("Zoe", "D'Amico"),
    ),
    companies=(
        ("Alderbrook", "Software Ltd"), ("Fjord", "Logistics AS"), ("Copper & Vale", "LLP"), ("Nimbus", "Cloud Inc."),
        ("Terranova", "Foods SpA"), ("Brightside", "Learning"), ("Ironwood", "Capital"), ("PayLattice", "BV"),
        ("Helix", "Therapeutics"), ("Sundial", "Ventures"), ("Granite", "Works GmbH"), ("Osprey", "Mobility"),
    ),
    strangers=(
        ("Oliver", "Grant"), ("Katya", "Ivanova"), ("Sanjay", "Kapoor"), ("Elise", "Moreau"), ("Bruno", "Keller"),
        ("Martha", "Quinn"), ("Theo", "Lang"), ("Leila", "Haddad"), ("Magnus", "Eriksen"), ("Paula", "Reyes"),
    ),
    inventions=(
        "Contoso", "Massive Dynamic", "Soylent", "Oscorp", "Weyland Shipping", "Dunder Mifflin", "Aperture Science",
        "Nakatomi Trading", "Veridian Partners", "Blue Sun", "Monarch", "Prestige Worldwide",
    ),
    sentences=(
        "Sales at {company} added up to {revenue} this period.",
        "Turnover rose {growth} and now stands at {revenue}.",
        "The service has {customers} active accounts today.",
        "Spending was {burn} per month.",
        "{partner} became a client on {date}.",
        "Since joining on {date}, {person} has rebuilt the support desk.",
        "A workshop with {partner} will take place on {date}.",
        "For anything else, reach {person} under {email}.",
        "Slides and numbers: {url}.",
        "Read more at {url} before the meeting.",
        "Net growth for the period: {growth}.",
        "By {date} costs had come down to {burn}.",
        "According to {person}, {partner} is ready to start on {date}.",
        "Replies should go to {email}.",
        "{partner} ordered {seats} additional licences.",
        "With help from {person}, we trained {seats} people at {partner}.",
        "Between then and {date}, {customers} clients signed up.",
        "Many thanks go to {person} and everyone at {partner}.",
        "Costs of {burn} match what we planned.",
        "Another {seats} positions will be filled soon.",
        "Income climbed to {revenue} (up {growth}).",
        "Both {person} and {partner} agreed to the new terms.",
        "{date} is the deadline that {person} has set for {partner}.",
        "Meanwhile {partner} has paid the invoice of {revenue}.",
    ),
    fillers=(
        "We appreciate your trust.", "Work on the mobile app continues.", "Nothing else has changed since last time.",
        "Second, a word about the roadmap.", "Looking ahead, we stay careful.", "Please let us know what you think.",
        "Despite a slow start, morale is high.", "Retention remains strong.", "Early signs are encouraging.",
        "Finally, a short note on hiring.", "Everyone worked hard for this.", "Demand keeps growing.",
        "Let us talk on Thursday.", "No one expected such a calm September.", "I look forward to your reply.",
        "Several clients asked for better exports.",
    ),
    headings=("Overview", "Numbers at a Glance", "Monthly Report", "Team News", "Outlook", "Sales and Marketing",
        "Open Questions"),
    subjects=("{company} – Monthly Report", "An update for our investors", "Notes on today's meeting",
        "Where {company} Stands"),
    greetings=("Hey {first},", "Dear Mr. {family},", "Dear Investors,", "Hello {person},",
        "Good afternoon, everyone,", "Hi team,"),
    closings=("Warm regards,\n{person}", "Sincerely,\n{first}", "All the best\n{person}, {company}",
        "Many thanks,\n{person}"),
    figures=(
        "The waiting list holds {invented} names.", "Altogether that makes {invented}.",
        "We expect {invented} by the end of the year.", "Downtime was {invented} minutes.",
        "The app was opened {invented} times.", "Partners contributed {invented} of that.",
    ),
    claims=(
        "{invented} has come on board as well.", "Talks with {invented} have begun.", "{invented} praised the product.",
        "Besides, {invented} wants a demo.", "A contract with {invented} is being drafted.",
    ),
    notes=(
        "Call with {person}, {partner}, on {date}: {seats} licences wanted, they pay {revenue}.",
        "{person} <{email}> wrote:\n> Let us start on {date}.\n> Regards, {person}, {partner}",
        "Memo. Revenue: {revenue}. Growth: {growth}. Link: {url}. Prepared by {person} for {partner}.",
    ),
)  # fmt: skip
