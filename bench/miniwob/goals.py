"""From a task's goal, in words, to the arguments of its recipe."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.miniwob.knowledge import DIGITS, similar_words

Arguments = dict[str, Any]
Reader = Callable[["Goal"], Arguments]

NUMBERS = {"1st": 1, "2nd": 2, "3rd": 3}
GRID = (
    *("top left", "top center", "top right"),
    *("center left", "center", "center right"),
    *("bottom left", "bottom center", "bottom right"),
)
STEPS = {"up": -1, "down": 1}
GRID_STEPS = {"up": -3, "down": 3, "left": -1, "right": 1}
DIRECTIONS = {"left": (-15, 0), "right": (15, 0), "up": (0, -15), "down": (0, 15)}
# A place or a step that no entry has.
NONE = 99


@dataclass(frozen=True, slots=True)
class Goal:
    """What `core.getUtterance()` says: a text, and where the task adds them, its `fields`."""

    text: str
    fields: Mapping[str, str] = field(default_factory=dict)


class Unclear(Exception):
    """The goal is worded in a way that is not known here."""


def arguments_for(task: str, goal: Goal) -> Arguments:
    return GOALS.get(task, nothing)(goal)


def nothing(_goal: Goal) -> Arguments:
    """The task is always the same."""
    return {}


def groups(words: str, text: str) -> dict[str, str]:
    """The named groups of a pattern that the whole text must match; one that took no part is an empty text."""
    match = re.fullmatch(words, text, re.DOTALL)
    if match is None:
        raise Unclear(f"the goal is worded in another way: {text}")
    return match.groupdict(default="")


def pattern(words: str) -> Reader:
    return lambda goal: dict(groups(words, goal.text))


def listed(words: str, name: str) -> Reader:
    """One group, whose text is a list with commas; “nothing” is an empty one."""

    def read(goal: Goal) -> Arguments:
        text = groups(words, goal.text)[name]
        return {name: [] if text == "nothing" else text.split(", ")}

    return read


def iso_date(text: str) -> str:
    month, day, year = text.split("/")
    return f"{year}-{month}-{day}"


def dated(words: str) -> Reader:
    def read(goal: Goal) -> Arguments:
        found = groups(words, goal.text)
        return {**found, "date": iso_date(found["date"])}

    return read


def time_of_day(goal: Goal) -> Arguments:
    found = groups(r"Enter (?P<hour>\d+):(?P<minute>\d+)\s(?P<half>AM|PM) as the time and press submit\.", goal.text)
    hour = int(found["hour"]) % 12 + (12 if found["half"] == "PM" else 0)
    return {"time": f"{hour:02}:{found['minute']}"}


def cased_text(goal: Goal) -> Arguments:
    found = groups(r'Type "(?P<text>.+)" in all (?P<case>upper|lower) case letters in .*', goal.text)
    return {"text": found["text"].upper() if found["case"] == "upper" else found["text"].lower()}


def soft_labels(goal: Goal) -> Arguments:
    words = groups(r"Select words similar to (?P<words>.+) and click Submit\.", goal.text)["words"]
    return {"words": [similar for word in words.split(", ") for similar in similar_words(word)]}


def drawn_digit(goal: Goal) -> Arguments:
    digit = groups(r'Draw the number "(?P<digit>\d)" in .*', goal.text)["digit"]
    return {"boxes": [place for place, mark in enumerate("".join(DIGITS[int(digit)])) if mark == "#"]}


def slider_and_box(goal: Goal) -> Arguments:
    found = groups(r"Select (?P<value>-?\d+) with the slider, click the (?P<box>...) checkbox, .*", goal.text)
    return {"value": int(found["value"]), "box": NUMBERS[found["box"]]}


def radio_and_field(goal: Goal) -> Arguments:
    words = r'Check the (?P<radio>...) radio button and enter the number "(?P<number>.+)" into the (?P<field>...) .*'
    found = groups(words, goal.text)
    return {
        "radio": NUMBERS[found["radio"]] - 1,
        "number": found["number"],
        "field": NUMBERS[found["field"]] - 1,
    }


def one_slider(goal: Goal) -> Arguments:
    return {"value": int(groups(r"Select (?P<value>-?\d+) with the slider .*", goal.text)["value"])}


def three_sliders(goal: Goal) -> Arguments:
    return {
        "values": json.loads(groups(r"Set the sliders to the combination (?P<values>\[.*\]) .*", goal.text)["values"])
    }


def dialog_button(goal: Goal) -> Arguments:
    name = groups(r'Click the button in the dialog box labeled "(?P<button>.+)"\.', goal.text)["button"]
    return {"button": "Close" if name == "x" else name}


def menu_path(goal: Goal) -> Arguments:
    *above, entry = groups(r"Select (?P<path>.+)", goal.text)["path"].split(">")
    return {"above": above, "entry": entry}


def generated(goal: Goal) -> Arguments:
    words = r"Generate an? (?:number (?P<order>less|greater) than (?P<limit>\d+)|(?P<kind>odd|even) number), .*"
    found = groups(words, goal.text)
    limit = int(found["limit"] or 0)
    return {
        "below": limit if found["order"] == "less" else NONE,
        "above": limit if found["order"] == "greater" else -1,
        "remainder": {"odd": "1", "even": "0"}.get(found["kind"], "any"),
    }


def list_place(goal: Goal) -> Arguments:
    where = r"top|bottom|(?P<number>\d)(?:st|nd|rd|th) position"
    found = groups(rf"Drag (?P<entry>.+) (?:to the (?P<place>{where})|(?P<step>up|down) by one position)\.", goal.text)
    place = {"top": 1, "bottom": 5}.get(found["place"]) or int(found["number"] or NONE)
    return {"entry": found["entry"], "place": place, "by": STEPS.get(found["step"], NONE)}


def grid_place(goal: Goal) -> Arguments:
    found = groups(r"Drag (?P<entry>.+) (?:to the (?P<place>.+)|(?P<step>up|down|left|right) by one)\.", goal.text)
    place = GRID.index(found["place"]) + 1 if found["place"] else NONE
    return {"entry": found["entry"], "place": place, "by": GRID_STEPS.get(found["step"], NONE)}


def shapes_to_drag(goal: Goal) -> Arguments:
    kind = groups(r"Drag all (?P<kind>.+)s into the black box\.", goal.text)["kind"]
    return {"tag": {"rectangle": "rect", "circle": "circle", "triangle": "polygon"}[kind]}


def direction(goal: Goal) -> Arguments:
    x, y = DIRECTIONS[groups(r"Drag the item (?P<way>\w+) then press Submit\.", goal.text)["way"]]
    return {"x": x, "y": y}


def line(goal: Goal) -> Arguments:
    way = groups(r"Draw a (?P<way>horizontal|vertical) line .*", goal.text)["way"]
    return {"x": 60, "y": 0} if way == "horizontal" else {"x": 0, "y": 60}


def area_number(goal: Goal) -> Arguments:
    return {"area": NUMBERS[groups(r"Copy the text from the (?P<area>...) text area .*", goal.text)["area"]]}


def words_before(goal: Goal) -> Arguments:
    number = int(groups(r"Find the (?P<number>\d+).. word in .*", goal.text)["number"])
    return {"before": number - 1}


def price_limit(goal: Goal) -> Arguments:
    return {
        "price": float(groups(r"Buy \w+ stock when the price is less than \$(?P<price>[\d.]+)\.", goal.text)["price"])
    }


SHAPE = r"(?:(?P<size>large|small) )?(?:(?P<color>red|green|blue|aqua|black|magenta|yellow) )?(?P<kind>\w+?)"
FLIGHT = r"Book the (?P<which>\w+) one-way flight from: (?P<origin>.+) to: (?P<destination>.+) on (?P<date>[\d/]+)\."


def star_or_reply(goal: Goal) -> Arguments:
    words = r'Find the email by (?P<sender>.+) and (?:reply to them with the text "(?P<text>.+)"|click the star .+)\.'
    found = groups(words, goal.text)
    text = found["text"]
    return {"sender": found["sender"], "texts": [text] if text else [], "stars": [] if text else ["star"]}


def forwarded(goal: Goal) -> Arguments:
    """The tasks in free wording say in fields of the goal who is meant by what."""
    return {"sender": goal.fields["by"], "to": goal.fields["to"]}


def post_button(goal: Goal) -> Arguments:
    found = groups(r'For the user (?P<user>\S+), click on the "(?P<name>.+)" button\.', goal.text)
    is_icon = found["name"] in {"Reply", "Retweet", "Like"}
    return {
        "user": found["user"],
        "icons": [found["name"].lower()] if is_icon else [],
        "entries": [] if is_icon else [found["name"]],
    }


def posts(goal: Goal) -> Arguments:
    words = r'Click the "(?P<icon>\w+)" button on (?P<amount>all|\d+) posts? by (?P<user>\S+) and then click Submit\.'
    found = groups(words, goal.text)
    amount = {} if found["amount"] == "all" else {"amount": int(found["amount"])}
    return {"user": found["user"], "icon": found["icon"].lower(), **amount}


def dishes(goal: Goal) -> Arguments:
    words = r"Order (?:one of each item: (?P<dishes>.+)|(?P<times>\d) items that are (?P<kind>.+))"
    found = groups(words, goal.text)
    return {
        "dishes": found["dishes"].split(", ") if found["dishes"] else [],
        "kind": found["kind"],
        "times": list(range(int(found["times"] or 0))),
    }


def signature(goal: Goal) -> Arguments:
    if goal.text == "Click the cancel button.":
        return {"button": "Cancel"}
    words = r'Scroll to the bottom of the textarea, enter the name "(?P<name>.+)" then press "(?P<button>.+)"'
    return dict(groups(words, goal.text))


def file_ending(goal: Goal) -> Arguments:
    words = r"Use the terminal .+ delete a file (?:ending with the extension (?P<ending>\.\S+)|that has .+)"
    return dict(groups(words, goal.text))


CHOSEN = pattern(r"Select (?P<entry>.+) from the list and click Submit\.")
WORD = pattern(r'.+ to find and click on the link "(?P<word>.+)"\.')
CHECKED = listed(r"Select (?P<labels>.+) and click Submit\.", "labels")
MOVIE = pattern(r"Search for (?P<genre>.+) movies directed by (?P<director>.+) from year (?P<year>\d+)\.")
CALENDAR = dated(r"(?:Select|Enter) (?P<date>.+) as the date and hit submit\.")

GOALS: dict[str, Reader] = {
    "book-flight": dated(FLIGHT),
    "book-flight-nodelay": dated(FLIGHT),
    "choose-date": CALENDAR,
    "choose-date-easy": CALENDAR,
    "choose-list": CHOSEN,
    "click-checkboxes": CHECKED,
    "click-checkboxes-soft": soft_labels,
    "click-checkboxes-transfer": CHECKED,
    "click-collapsible-2": WORD,
    "click-dialog-2": dialog_button,
    "click-menu": menu_path,
    "click-option": pattern(r"Select (?P<label>.+) and click Submit\."),
    "click-pie": pattern(r'Expand .+ labeled "(?P<item>.)"\.'),
    "click-pie-nodelay": pattern(r'Expand .+ labeled "(?P<item>.)"\.'),
    "click-scroll-list": listed(r"Select (?P<entries>.+) from the scroll list and click Submit\.", "entries"),
    "click-shape": pattern(rf"Click on a {SHAPE}"),
    "click-tab-2": WORD,
    "click-tab-2-easy": WORD,
    "click-tab-2-hard": WORD,
    "click-widget": pattern(r'Click on a "(?P<kind>\w+)" widget\.'),
    "copy-paste-2": area_number,
    "count-shape": pattern(rf"How many {SHAPE}s are there\?"),
    "drag-items": list_place,
    "drag-items-grid": grid_place,
    "drag-shapes": shapes_to_drag,
    "drag-single-shape": direction,
    "draw-line": line,
    "email-inbox-delete": pattern(r"Find the email by (?P<sender>.+) and click the trash icon to delete it\."),
    "email-inbox-forward-nl": forwarded,
    "email-inbox-forward-nl-turk": forwarded,
    "email-inbox-important": pattern(r"Find the email by (?P<sender>.+) and click the star icon .*"),
    "email-inbox-reply": pattern(r'Find the email by (?P<sender>.+) and reply to them with the text "(?P<text>.+)"\.'),
    "email-inbox-star-reply": star_or_reply,
    "enter-date": CALENDAR,
    "enter-text": pattern(r'Enter "(?P<text>.+)" into the text field and press Submit\.'),
    "enter-text-2": cased_text,
    "enter-time": time_of_day,
    "find-word": words_before,
    "form-sequence": slider_and_box,
    "form-sequence-2": radio_and_field,
    "generate-number": generated,
    "login-user": pattern(r'Enter the username "(?P<username>.+)" and the password "(?P<password>.+)" into .*'),
    "multi-layouts": MOVIE,
    "multi-orderings": MOVIE,
    "number-checkboxes": drawn_digit,
    "order-food": dishes,
    "phone-book": pattern(r"Find (?P<name>.+) in the contact book and click on their (?P<detail>\w+).*"),
    "read-table": pattern(r"Enter the value of (?P<name>.+) into the text field and press Submit\."),
    "sign-agreement": signature,
    "social-media": post_button,
    "social-media-all": posts,
    "social-media-some": posts,
    "stock-market": price_limit,
    "terminal": file_ending,
    "use-slider": one_slider,
    "use-slider-2": three_sliders,
}
