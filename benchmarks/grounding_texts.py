"""Made-up texts with the inputs they are made from; in half of them one thing is invented.

Knows nothing of the checker.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from grounding_phrases import Bank

KINDS = ("digit", "date", "person", "family name", "crossed names", "address", "figure", "percentage", "sum", "company")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_CURRENCIES = {"$": ("USD", "dollars"), "€": ("EUR", "euros"), "£": ("GBP", "pounds")}
_MARK = "\x00"


@dataclass(frozen=True)
class Sample:
    """One text. ``planted`` is what was invented: its kind, and from where to where it stands; None in a true text."""

    inputs: dict[str, Any]
    text: str
    planted: tuple[str, int, int] | None


@dataclass
class Facts:
    """What is true for one text."""

    company: tuple[str, str]
    partner: tuple[str, str]
    person: tuple[str, str]
    colleague: tuple[str, str]
    revenue: int
    burn: int
    growth: Decimal
    customers: int
    seats: int
    date: dt.date
    email: str
    url: str
    sign: str


def sample(seed: int, bank: Bank) -> Sample:
    """The text of one seed; texts of odd seeds have something invented in them."""
    chance = random.Random(seed)
    facts = _facts(chance, bank)
    inputs = _inputs(facts, chance, bank)
    kind = chance.choice(KINDS) if seed % 2 else None
    sentences = _sentences(facts, chance, bank, kind)
    text = _laid_out(sentences, facts, chance, bank)
    if kind is None:
        return Sample(inputs, text, None)
    start = text.index(_MARK)
    end = text.index(_MARK, start + 1)
    return Sample(inputs, text.replace(_MARK, ""), (kind, start, end - 1))


def _facts(chance: random.Random, bank: Bank) -> Facts:
    company, partner = chance.sample(bank.companies, 2)
    person, colleague = chance.sample(bank.people, 2)
    site = re.sub(r"\W", "", company[0].lower())
    local = chance.choice((person[0], f"{person[0]}.{person[1]}", "info", "invest")).lower()
    path = chance.choice(("", "/report", "/updates/q2?lang=en", "/docs/annual-report.pdf", "/r/8231"))
    growth = Decimal(chance.randrange(11, 900)) / (10 if chance.random() < 0.6 else 1)
    return Facts(
        company, partner, person, colleague,
        _money(chance, 5, 8), _money(chance, 4, 6),
        growth if growth < 100 else growth / 10,
        chance.choice((chance.randrange(13, 99), chance.randrange(101, 999), chance.randrange(1001, 39_999))),
        chance.randrange(2, 13), dt.date(chance.randrange(2023, 2028), 1, 1) + dt.timedelta(chance.randrange(365)),
        f"{re.sub(r'[^a-z.]', '', local)}@{site}.{chance.choice(('com', 'io', 'de', 'co.uk'))}",
        f"https://{chance.choice(('www.', '', 'app.'))}{site}.com{path}", chance.choice(tuple(_CURRENCIES)),
    )  # fmt: skip


def _money(chance: random.Random, low: int, high: int) -> int:
    digits, kept = chance.randint(low, high), chance.choice((2, 3, 4, 9))
    amount = chance.randrange(10 ** (digits - 1), 10**digits)
    step = int(10 ** max(digits - kept, 0))
    return amount // step * step


def _inputs(facts: Facts, chance: random.Random, bank: Bank) -> dict[str, Any]:
    code, _ = _CURRENCIES[facts.sign]
    revenue = chance.choice(
        (facts.revenue, f"{facts.sign}{facts.revenue:,}", f"{facts.revenue}.00", f"{code} {facts.revenue:,}")
    )
    growth = chance.choice((float(facts.growth), f"{facts.growth}%", f"+{facts.growth} %"))
    iso = facts.date.isoformat()
    date = chance.choice((iso, f"{facts.date:%a, %b} {facts.date.day}, {facts.date.year}, 9:14 AM", f"{iso}T09:14:00Z",
                          f"{_MONTHS[facts.date.month - 1]} {facts.date.day}, {facts.date.year}"))  # fmt: skip
    full = " ".join(facts.person)
    person: Any = chance.choice((full, {"first_name": facts.person[0], "last_name": facts.person[1]},
            f"{full} <{facts.email}>",
                                 {"name": full, "role": "CEO"}))  # fmt: skip
    inputs = {
        "company": " ".join(facts.company), "partner": {"name": " ".join(facts.partner), "seats": facts.seats},
        "revenue": revenue, "burn": facts.burn, "growth_percent" if isinstance(growth, float) else "growth": growth,
        "customers": chance.choice((facts.customers, f"{facts.customers:,}")), "date": date, "contact": person,
        "colleague": " ".join(facts.colleague), "email": facts.email, "url": facts.url,
    }  # fmt: skip
    if chance.random() < 0.3:
        plain = {
            "person": full, "partner": " ".join(facts.partner), "date": iso, "seats": str(facts.seats),
            "email": facts.email,
            "revenue": f"{facts.sign}{facts.revenue:,}", "growth": f"{facts.growth}%", "url": facts.url,
        }  # fmt: skip
        inputs["notes"] = chance.choice(bank.notes).format(**plain)
    return inputs


def _sentences(facts: Facts, chance: random.Random, bank: Bank, kind: str | None) -> list[str]:
    templates = chance.sample(bank.sentences, chance.randint(3, 7))
    sentences = [_filled(each, facts, chance) for each in templates]
    sentences += chance.sample(bank.fillers, chance.randint(0, 3))
    chance.shuffle(sentences)
    if kind is not None:
        sentences.insert(chance.randint(0, len(sentences)), _invented(kind, facts, chance, bank))
    return sentences


def _filled(template: str, facts: Facts, chance: random.Random, **instead: str) -> str:
    slots = re.findall(r"\{(\w+)\}", template)
    return template.format(**{slot: instead.get(slot) or written(slot, facts, chance) for slot in slots})


def written(slot: str, facts: Facts, chance: random.Random) -> str:
    """A fact in one of the ways in which it may be written."""
    match slot:
        case "company" | "partner":
            return _company(getattr(facts, slot), chance)
        case "person":
            return _person(chance.choice((facts.person, facts.colleague)), chance)
        case "first":
            return facts.person[0]
        case "family":
            return facts.person[1]
        case "revenue" | "burn":
            return _amount(getattr(facts, slot), facts.sign, chance)
        case "growth":
            return _percent(facts.growth, chance)
        case "customers" | "seats":
            return _count(getattr(facts, slot), chance)
        case "date":
            return _date(facts.date, chance)
        case "email":
            return chance.choice(
                (facts.email, facts.email, f"<{facts.email}>", f"[{facts.email}](mailto:{facts.email})")
            )
        case _:
            bare = facts.url.removeprefix("https://")
            return chance.choice((facts.url, facts.url, f"[the report]({facts.url})", bare))


def _company(name: tuple[str, str], chance: random.Random) -> str:
    return chance.choice((" ".join(name), name[0], name[0], f"{name[0]} {name[1].split()[0]}"))


def _person(name: tuple[str, str], chance: random.Random) -> str:
    title = chance.choice(("Ms", "Mr.", "Dr."))
    return chance.choice(
        (" ".join(name), " ".join(name), name[1], name[0], f"{title} {name[1]}", f"{name[0][0]}. {name[1]}")
    )


def _amount(amount: int, sign: str, chance: random.Random) -> str:
    code, word = _CURRENCIES[sign]
    ways = [f"{sign}{amount:,}", f"{code} {amount:,}", f"{amount:,} {word}", f"{sign}{amount}", f"{sign}{amount:,}.00",
            f"{amount:,} {code}"]  # fmt: skip
    if amount >= 1_000_000:
        millions = _short(Decimal(amount) / 1_000_000)
        ways += [f"{sign}{millions} million", f"{millions} million {word}", f"{sign}{millions}M", f"{code} {millions}m",
                 f"{sign}{millions}mn", f"{sign} {millions} million"]  # fmt: skip
    elif amount % 100 == 0:
        thousands = _short(Decimal(amount) / 1000)
        ways += [f"{sign}{thousands}k", f"{thousands} thousand {word}", f"{sign}{thousands}K"]
    return chance.choice(ways)


def _short(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _percent(share: Decimal, chance: random.Random) -> str:
    return chance.choice(
        (f"{_short(share)}%", f"{_short(share)} %", f"{_short(share)} percent", f"{_short(share)} per cent")
    )


def _count(number: int, chance: random.Random) -> str:
    if number < len(_SMALL):
        return chance.choice((str(number), _SMALL[number]))
    return chance.choice((str(number), f"{number:,}"))


def _date(date: dt.date, chance: random.Random) -> str:
    day, month, year = date.day, _MONTHS[date.month - 1], date.year
    tail = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return chance.choice((
        f"{day} {month} {year}", f"{month} {day}, {year}", f"{month} {day}{tail}, {year}", date.isoformat(),
        f"{month[:3]} {day}, {year}", f"{day} {month}", f"{month} {day}", f"{date:%A}, {day} {month} {year}",
        f"the {day}{tail} of {month}", f"{date.month}/{day}/{year}", f"{day:02}.{date.month:02}.{year}",
        f"{date:%A}, {month} {day}", f"{month} {day}{tail}",
    ))  # fmt: skip


def _invented(kind: str, facts: Facts, chance: random.Random, bank: Bank) -> str:
    """A sentence with one invention, which stands between marks."""

    def carrying(*slots: str) -> tuple[str, str]:
        slot = chance.choice(slots)
        return chance.choice([each for each in bank.sentences if f"{{{slot}}}" in each]), slot

    match kind:
        case "digit":
            template, slot = carrying("revenue", "burn", "growth", "customers", "seats")
            return _filled(template, facts, chance, **{slot: _marked(_other_digit(slot, facts, chance))})
        case "date":
            template, slot = carrying("date")
            other = facts.date + dt.timedelta(chance.choice((-365, -31, -30, -7, -1, 1, 2, 7, 10, 30, 61)))
            while (other.day, other.month) == (facts.date.day, facts.date.month):
                other += dt.timedelta(1)
            return _filled(template, facts, chance, date=_marked(_date(other, chance)))
        case "person" | "family name" | "crossed names":
            template, slot = carrying("person")
            return _filled(template, facts, chance, person=_marked(_other_person(kind, facts, chance, bank)))
        case "address":
            template, slot = carrying("email", "url")
            return _filled(template, facts, chance, **{slot: _marked(_other_address(getattr(facts, slot), chance))})
        case "company":
            return _filled(chance.choice(bank.claims), facts, chance, invented=_marked(chance.choice(bank.inventions)))
        case _:
            return _filled(chance.choice(bank.figures), facts, chance, invented=_marked(_figure(kind, facts, chance)))


def _marked(text: str) -> str:
    return f"{_MARK}{text}{_MARK}"


def _true_numbers(facts: Facts) -> set[Decimal]:
    date = facts.date
    return {
        Decimal(each) for each in (facts.revenue, facts.burn, facts.growth, facts.customers, facts.seats, date.year)
    }


def _other_digit(slot: str, facts: Facts, chance: random.Random) -> str:
    old = Decimal(getattr(facts, slot))
    text = _short(old)
    while True:
        at = chance.choice([at for at, sign in enumerate(text) if sign.isdigit()])
        new = text[:at] + chance.choice("123456789") + text[at + 1 :]
        number = Decimal(new)
        if number not in _true_numbers(facts) and number != 1:
            break
    if slot == "growth":
        return _percent(number, chance)
    if slot in ("customers", "seats"):
        return _count(int(number), chance)
    return _amount(int(number), facts.sign, chance)


def _other_person(kind: str, facts: Facts, chance: random.Random, bank: Bank) -> str:
    stranger = chance.choice(bank.strangers)
    if kind == "person":
        return _person(stranger, chance)
    if kind == "family name":
        return f"{facts.person[0]} {stranger[1]}"
    return f"{facts.person[0]} {facts.colleague[1]}"


def _other_address(address: str, chance: random.Random) -> str:
    bare = address.removeprefix("https://")
    if "@" in address:
        local, _, host = address.partition("@")
        return chance.choice((f"{local}@{host.replace('.', '-mail.', 1)}", f"contact.{local}@{host}",
            f"{local}@{host[1:]}",
                              f"{local}1@{host}"))  # fmt: skip
    return chance.choice(
        (
            f"https://{bare}/2024",
            f"https://get-{bare}",
            f"https://{bare[:-1]}",
            f"https://{bare.replace('.com', '.org')}",
        )
    )


def _figure(kind: str, facts: Facts, chance: random.Random) -> str:
    while True:
        if kind == "percentage":
            number = round(Decimal(100 * facts.burn) / facts.revenue, 1) + chance.randrange(30)
        elif kind == "sum":
            number = Decimal(chance.choice((facts.revenue + facts.burn, abs(facts.revenue - facts.burn),
                                            facts.customers + facts.seats, facts.burn * 12)))  # fmt: skip
        else:
            number = Decimal(
                chance.choice((chance.randrange(2, 13), chance.randrange(13, 99), chance.randrange(100, 90_000)))
            )
        if number not in _true_numbers(facts) and number > 1:
            break
    if kind == "percentage":
        return _percent(number, chance)
    if kind == "sum" and number > 100_000:
        return _amount(int(number), facts.sign, chance)
    return _count(int(number), chance)


def _laid_out(sentences: list[str], facts: Facts, chance: random.Random, bank: Bank) -> str:
    look = chance.choice(("plain", "mail", "markdown", "summary"))
    if look == "plain":
        return " ".join(sentences)
    if look == "summary":
        return "\n".join(f"{number}. {each}" for number, each in enumerate(sentences, 1))
    half = chance.randint(0, len(sentences))
    parts = [part for part in (sentences[:half], sentences[half:]) if part]
    if look == "mail":
        subject = _filled(chance.choice(bank.subjects), facts, chance)
        greeting = _filled(chance.choice(bank.greetings), facts, chance, person=" ".join(facts.person))
        closing = _filled(chance.choice(bank.closings), facts, chance, person=" ".join(facts.colleague))
        body = "\n\n".join(" ".join(part) for part in parts)
        return f"Subject: {subject}\n\n{greeting}\n\n{body}\n\n{closing}"
    mark = chance.choice(("- ", "* ", "• "))
    blocks = []
    for part, heading in zip(parts, chance.sample(bank.headings, len(parts)), strict=True):
        lines = [_with_label(each, chance, mark) for each in part]
        blocks.append(f"## {heading}\n\n" + "\n".join(lines))
    return "\n\n".join(blocks)


def _with_label(sentence: str, chance: random.Random, mark: str) -> str:
    label = chance.choice(("", "", "**Note:** ", "**Figures:** "))
    return f"{mark}{label}{sentence}"
