"""Small sites on which the recorded way is broken: what was a link is now in a menu, on another page, under another name.

Each task says what was recorded (and is not there any more), the goal in words, and what decides that it is reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
STYLE = (
    "<style>body{font:14px sans-serif}nav a{margin-right:12px}[hidden]{display:none}footer{margin-top:1600px}</style>"
)


@dataclass(frozen=True)
class Task:
    """One goal on one small site."""

    kind: str
    name: str
    goal: str
    done_when: Json
    recorded: Json
    """Target of the element that was once clicked; nothing fits it where the task begins."""
    pages: Mapping[str, str]
    """Path below the task's own folder → HTML; ``""`` is where it begins."""
    max_steps: int = 12
    allowed: tuple[str, ...] = ()


def heading(name: str) -> Json:
    return {"visible": {"role": "heading", "name": name, "exact": True}}


def link(name: str) -> Json:
    return {"role": "link", "name": name, "exact": True}


def page(title: str, body: str = "") -> str:
    return f"<!doctype html><title>{title}</title>{STYLE}<h1>{title}</h1>{body}"


def links(*names: str) -> str:
    """Links to pages called by their names."""
    return " ".join(f"<a href='{slug(name)}'>{name}</a>" for name in names)


def slug(name: str) -> str:
    return name.lower().replace(" ", "-")


def around(*names: str) -> dict[str, str]:
    """Pages that are not meant."""
    return {slug(name): page(name, "<p>Nothing of that kind here.</p><a href='.'>Home</a>") for name in names}


def tasks() -> list[Task]:
    """All of them, always in the same order."""
    makers = (
        menus, renamed, searches, paging, tabs, accordions, dialogs, frames, shadows, endless, wizards, breadcrumbs,
        footers, trees, choices, wrong_turns, windows, boxes, hovers,
    )  # fmt: skip
    return [task for maker in makers for task in maker()]


def menus() -> Iterator[Task]:
    given = (
        ("Invoices", "<button aria-haspopup=menu onclick=\"m.hidden=!m.hidden\">Account</button>", "Home", "Team"),
        ("Past orders", "<button aria-label='More actions' aria-expanded=false onclick=\"m.hidden=!m.hidden\">⋮</button>",
         "New order", "Offers"),
        ("Holidays", "<details><summary>Company</summary><a href='news'>News</a></details><button aria-expanded=false onclick=\"m.hidden=!m.hidden\">People</button>",
         "Home", "Salaries"),
    )  # fmt: skip
    for wanted, opener, *others in given:
        body = f"<nav>{links(*others)}</nav>{opener}<div id=m role=menu hidden><a role=menuitem href='{slug(wanted)}'>{wanted}</a></div>"
        pages = {"": page("Start", body), slug(wanted): page(wanted), "news": page("News"), **around(*others)}
        yield Task("menu", wanted, f"Open the page '{wanted}'", heading(wanted), link(wanted), pages)


def renamed() -> Iterator[Task]:
    given = (
        ("Invoices", "Billing documents", ("Customers", "Products", "Reports")),
        ("Staff", "People", ("Rooms", "Calendar", "Stock")),
        ("Timesheets", "Working hours", ("Projects", "Absences", "Travel")),
    )
    for old, new, others in given:
        body = f"<nav>{links(others[0], others[1], new, others[2])}</nav>"
        pages = {
            "": page("Start", body),
            slug(new): page(new, f"<p>All {old.lower()} of this year.</p>"),
            **around(*others),
        }
        goal = f"Open the page with the {old.lower()}; it may be called something like '{new.split()[0].lower()}' now"
        yield Task("renamed", old, goal, {"text": f"All {old.lower()} of this year."}, link(old), pages)


def searches() -> Iterator[Task]:
    field = "<form role=search action=find><input type=search name=q aria-label='Search customers'>{}</form>"
    live = (
        "<input type=search aria-label='Filter by name' oninput=\"for (const a of document.querySelectorAll('li'))"
        ' a.hidden = !this.value || !a.textContent.toLowerCase().includes(this.value.toLowerCase())">'
    )
    for wanted, button in (("Halcyon Row", "<button>Search</button>"), ("Basalt Ventures", "")):
        shown = f"<p>1 customer</p><a href='{slug(wanted)}'>{wanted}</a>"
        pages = {
            "": page("Customers", field.format(button)),
            "find": page("Results", shown),
            slug(wanted): page(wanted),
        }
        yield Task("search", wanted, f"Open the customer '{wanted}'", heading(wanted), link(wanted), pages)
    names = ("Ember", "Juniper", "Orchard", "Petrel", "Umbra", "Vantage", "Willow")
    items = "".join(f"<li hidden><a href='{slug(each)}'>{each}</a></li>" for each in names)
    pages = {"": page("Suppliers", f"{live}<ul>{items}</ul>"), **around(*names), "petrel": page("Petrel")}
    yield Task("search", "Petrel", "Open the supplier 'Petrel'", heading("Petrel"), link("Petrel"), pages)


def paging() -> Iterator[Task]:
    def entries(start: int) -> str:
        return "".join(f"<li><a href='order-{n}'>Order {n}</a></li>" for n in range(start, start + 5))

    orders = {f"order-{n}": page(f"Order {n}") for n in range(1, 21)}
    for last, kind in ((12, "Next"), (18, "number")):
        pages = dict(orders)
        for number in range(4):
            path = "" if number == 0 else f"page-{number + 1}"
            next_ = f"<a href='page-{number + 2}'>Next</a>" if number < 3 else ""
            numbers = " ".join(f"<a href='{'.' if n == 0 else f'page-{n + 1}'}'>{n + 1}</a>" for n in range(4))
            pages[path] = page("Orders", f"<ul>{entries(1 + 5 * number)}</ul>{next_ if kind == 'Next' else numbers}")
        name = f"Order {last}"
        yield Task("paging", f"{name} by {kind}", f"Open '{name}'", heading(name), link(name), pages)
    rest = "".join(f"<ul hidden class=more>{entries(start)}</ul>" for start in (6, 11, 16))
    more = "<button type=button onclick=\"const m = document.querySelector('.more[hidden]'); if (m) m.hidden = false\">Load more</button>"
    pages = {**orders, "": page("Orders", f"<ul>{entries(1)}</ul>{rest}{more}")}
    yield Task("paging", "Order 14 by more", "Open 'Order 14'", heading("Order 14"), link("Order 14"), pages)


def tabs() -> Iterator[Task]:
    names = ("Overview", "Delivery", "Payments", "Notes")
    show = "for (const p of document.querySelectorAll('[role=tabpanel]')) p.hidden = p.id !== this.dataset.for"
    for wanted, made in (("Delivery", "Street and city"), ("Payments", "Bank account"), ("Notes", "Calls and letters")):
        bar = "".join(f'<button role=tab type=button data-for=p{n} onclick="{show}">{n}</button>' for n in names)
        panels = "".join(
            f"<div role=tabpanel id=p{n} {'' if n == 'Overview' else 'hidden'}><h2>{made if n == wanted else f'{n} of this customer'}</h2></div>"
            for n in names
        )
        goal = f"Show '{made}' of the customer; it belongs to {wanted.lower()}"
        body = f"<div role=tablist>{bar}</div>{panels}"
        yield Task("tab", wanted, goal, heading(made), link(made), {"": page("Customer 12", body)})


def accordions() -> Iterator[Task]:
    parts = ("Shipping", "Returns", "Warranty", "Privacy")
    for wanted, inner, native in (
        ("Returns", "Return labels", True),
        ("Warranty", "Serial numbers", False),
        ("Privacy", "Data requests", True),
    ):
        body = ""
        for number, name in enumerate(parts):
            content = f"<a href='{slug(inner)}'>{inner}</a>" if name == wanted else f"<p>About {name.lower()}.</p>"
            if native:
                body += f"<details><summary>{name}</summary>{content}</details>"
            else:
                body += f'<h2><button aria-expanded=false aria-controls=s{number} onclick="s{number}.hidden=!s{number}.hidden">{name}</button></h2><div id=s{number} hidden>{content}</div>'
        goal = f"Open the page '{inner}', which has to do with {wanted.lower()}"
        pages = {"": page("Help", body), slug(inner): page(inner)}
        yield Task("accordion", inner, goal, heading(inner), link(inner), pages)


def dialogs() -> Iterator[Task]:
    veil = "<div role=dialog aria-modal=true aria-label=News style='position:fixed;inset:0;background:#fff'><p>We have news!</p>{}</div>"
    given = (
        ("Reports", "<dialog id=d><p>Want our letter?</p><button onclick='d.close()'>Not now</button><button onclick='d.close()'>Subscribe</button></dialog><script>d.showModal()</script>"),
        ("Budgets", veil.format("<button aria-label=Close onclick='this.parentNode.remove()'>×</button><button>Tell me more about it</button>")),
        ("Forecasts", veil.format("<button onclick='this.parentNode.remove()'>Skip tour</button><button>Start tour</button>")),
    )  # fmt: skip
    for wanted, dialog in given:
        pages = {
            "": page("Start", f"<nav>{links('Home', wanted)}</nav>{dialog}"),
            wanted.lower(): page(wanted),
            **around("Home"),
        }
        recorded = {"role": "button", "name": f"Open {wanted}", "exact": True}
        yield Task("dialog", wanted, f"Open the page '{wanted}'", heading(wanted), recorded, pages)


def frames() -> Iterator[Task]:
    inner = {"frame-list": page("Archive", "<a href='frame-2024'>Report 2024</a> <a href='frame-2025'>Report 2025</a>"),
             "frame-2024": page("Figures of 2024"), "frame-2025": page("Figures of 2025")}  # fmt: skip
    done = {"visible": {"role": "heading", "name": "Figures of 2025", "frame": "iframe"}}
    body = "<iframe title=Archive src='frame-list' width=600 height=300></iframe>"
    yield Task(
        "iframe",
        "link",
        "Show the figures of 2025: open 'Report 2025'",
        done,
        link("Report 2025"),
        {"": page("Reports", body), **inner},
    )
    hidden = {
        "frame-more": page("Help", "<details><summary>Telephone</summary><h2>Call us from 8 to 17</h2></details>")
    }
    done = {"visible": {"role": "heading", "name": "Call us from 8 to 17", "frame": "iframe"}}
    body = "<iframe title=Help src='frame-more' width=600 height=300></iframe>"
    yield Task(
        "iframe",
        "disclosure",
        "Show when one can telephone",
        done,
        link("Telephone"),
        {"": page("Contact", body), **hidden},
    )


def shadows() -> Iterator[Task]:
    made = "<site-menu></site-menu><script>customElements.define('site-menu', class extends HTMLElement {{ connectedCallback() {{ this.attachShadow({{mode: 'open'}}).innerHTML = `{}` }} }})</script>"
    plain = "<a href='home'>Home</a> <a href='contracts'>All contracts</a>"
    yield Task("shadow", "link", "Open the page with the contracts", heading("Contracts"), link("Contracts"),
               {"": page("Start", made.format(plain)), "contracts": page("Contracts"), **around("Home")})  # fmt: skip
    closed = "<details><summary>Menu</summary><a href='offers'>All offers</a></details>"
    yield Task("shadow", "menu", "Open the page with the offers", heading("Offers"), link("Offers"),
               {"": page("Start", made.format(closed)), "offers": page("Offers")})  # fmt: skip


def endless() -> Iterator[Task]:
    script = """<ul id=l></ul><script>let n = 0; const grow = () => { for (let i = 0; i < 20 && n < 100; i++) { n++
    l.insertAdjacentHTML('beforeend', `<li style="height:40px"><a href="entry-${n}">Entry ${n}</a></li>`) } }
    grow(); addEventListener('scroll', () => { if (innerHeight + scrollY > document.body.offsetHeight - 200) grow() })</script>"""
    for wanted in (38, 67):
        name = f"Entry {wanted}"
        pages = {"": page("Log", script), f"entry-{wanted}": page(name)}
        yield Task("endless list", name, f"Open '{name}' of the list", heading(name), link(name), pages, max_steps=16)


def wizards() -> Iterator[Task]:
    def step(number: int, last: int, body: str) -> str:
        on = f"<a role=button href='step-{number + 1}'>Next</a>" if number < last else ""
        return page(f"Step {number} of {last}", body + on)

    pages = {f"step-{n}": step(n, 4, f"<p>Part {n}</p>") for n in range(2, 5)} | {"": step(1, 4, "<p>Part 1</p>")}
    yield Task(
        "wizard",
        "four steps",
        "Go through the assistant to its last step, 'Step 4 of 4'",
        heading("Step 4 of 4"),
        link("Last step"),
        pages,
    )
    choice = (
        "<label><input type=radio name=k value=private>Private</label><label><input type=radio name=k value=company>Company</label>"
        "<button type=button onclick=\"const c = document.querySelector(':checked'); if (c) location = c.value\">Next</button>"
    )
    pages = {"": page("What are you?", choice), "company": page("Company details"), "private": page("Private details")}
    yield Task(
        "wizard",
        "with a choice",
        "Choose 'Company' and go on to 'Company details'",
        heading("Company details"),
        link("Company details"),
        pages,
    )


def breadcrumbs() -> Iterator[Task]:
    for top, here in (("Projects", "Falcon"), ("Departments", "Purchasing")):
        trail = f"<nav aria-label=Breadcrumb><a href='home'>Home</a> / <a href='{top.lower()}'>{top}</a> / <span>{here}</span></nav>"
        pages = {
            "": page(here, f"{trail}<p>{links('Tasks', 'Files')}</p>"),
            top.lower(): page(f"All {top.lower()}"),
            **around("Home", "Tasks", "Files"),
        }
        yield Task(
            "breadcrumb",
            top,
            f"Go to the overview of all {top.lower()}",
            heading(f"All {top.lower()}"),
            link(f"All {top.lower()}"),
            pages,
        )


def footers() -> Iterator[Task]:
    for wanted, linked in (("Imprint", "Imprint"), ("Terms of delivery", "Terms")):
        footer = f"<footer><a href='press'>Press</a> <a href='wanted'>{linked}</a> <a href='jobs'>Jobs</a></footer>"
        pages = {
            "": page("Start", f"<nav>{links('Shop', 'About us')}</nav>{footer}"),
            "wanted": page(wanted),
            **around("Shop", "About us", "Press", "Jobs"),
        }
        yield Task(
            "footer", wanted, f"Open the page '{wanted}'", heading(wanted), {"role": "button", "name": wanted}, pages
        )


def trees() -> Iterator[Task]:
    for wanted, country in (("Rome", "Italy"), ("Lyon", "France")):

        def branch(name: str, inner: str) -> str:
            return (f"<li role=treeitem aria-expanded=false tabindex=0 onclick=\"event.stopPropagation();"
                    f"this.lastElementChild.hidden=!this.lastElementChild.hidden\"><span>{name}</span><ul role=group hidden>{inner}</ul></li>")  # fmt: skip

        cities = {"Italy": ("Rome", "Turin"), "France": ("Lyon", "Nantes"), "Chile": ("Arica",)}
        leaves = {
            land: "".join(f"<li><a href='{c.lower()}'>{c} office</a></li>" for c in those)
            for land, those in cities.items()
        }
        body = f"<ul role=tree>{branch('Europe', branch('Italy', leaves['Italy']) + branch('France', leaves['France']))}{branch('America', branch('Chile', leaves['Chile']))}</ul>"
        pages = {"": page("Offices", body), wanted.lower(): page(f"Office in {wanted}")}
        yield Task(
            "tree",
            wanted,
            f"Open the '{wanted} office', which is in Europe, in {country}",
            heading(f"Office in {wanted}"),
            link(f"{wanted} office"),
            pages,
        )


def choices() -> Iterator[Task]:
    show = "for (const p of document.querySelectorAll('section')) p.hidden = p.id !== 'y' + this.value"
    for wanted in ("2023", "2021"):
        years = "".join(f"<option>{year}</option>" for year in range(2026, 2019, -1))
        sections = "".join(
            f"<section id=y{year} {'' if year == 2026 else 'hidden'}><h2>Invoices of {year}</h2></section>"
            for year in range(2026, 2019, -1)
        )
        body = f'<label>Year <select onchange="{show}">{years}</select></label>{sections}'
        yield Task(
            "choice",
            wanted,
            f"Show the invoices of '{wanted}'",
            heading(f"Invoices of {wanted}"),
            link(wanted),
            {"": page("Invoices", body)},
        )


def wrong_turns() -> Iterator[Task]:
    for wanted, right, wrong in (("Contract with Acme", "Archive", "Contracts"), ("Price list", "Downloads", "Prices")):
        pages = {
            "": page("Start", f"<nav>{links(wrong, right)}</nav>"),
            slug(wrong): page(wrong, "<p>They have been moved.</p>"),
            slug(right): page(right, links("Letters", wanted)),
            slug(wanted): page(wanted),
            **around("Letters"),
        }
        yield Task("wrong turn", wanted, f"Open '{wanted}'", heading(wanted), link(wanted), pages)


def windows() -> Iterator[Task]:
    body = f"<nav>{links('Rooms')}<a target=_blank href='handbook'>The handbook</a></nav>"
    pages = {"": page("Intranet", body), "handbook": page("Handbook"), **around("Rooms")}
    yield Task("new window", "Handbook", "Open the handbook", heading("Handbook"), link("Handbook"), pages)


def boxes() -> Iterator[Task]:
    for label, wanted in (("Show archived projects", "Falcon"), ("Show closed accounts", "Drumlin")):
        box = f"<label><input type=checkbox onchange='a.hidden=!this.checked'>{label}</label>"
        body = f"{box}<ul><li><a href='heron'>Heron</a></li><li id=a hidden><a href='{wanted.lower()}'>{wanted}</a></li></ul>"
        pages = {"": page("List", body), wanted.lower(): page(wanted), **around("Heron")}
        yield Task("box", wanted, f"Open '{wanted}', which is {label.split()[1]}", heading(wanted), link(wanted), pages)


def hovers() -> Iterator[Task]:
    css = "<style>#sub{display:none} #top:hover #sub{display:block}</style>"
    body = f"{css}<div id=top><button type=button>Products</button><div id=sub><a href='spare-parts'>Spare parts</a></div></div>"
    pages = {"": page("Shop", body), "spare-parts": page("Spare parts")}
    yield Task("hover", "Spare parts", "Open the page 'Spare parts' of the products", heading("Spare parts"), link("Spare parts"), pages,
               allowed=("click", "hover", "scroll", "back"))  # fmt: skip
