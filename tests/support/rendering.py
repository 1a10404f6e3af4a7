"""Write JSON so that people can read its differences."""

import json
from typing import cast


def render(value: object, indent: str = "") -> str:
    """Write JSON with one line for what fits into 200 columns, and open what does not."""
    line = json.dumps(value)
    inner = indent + " "
    if len(line) <= 200 or not isinstance(value, dict | list):
        return line
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        items = [f"{json.dumps(name)}: {render(part, inner)}" for name, part in fields.items()]
        brackets = "{}"
    else:
        items = [render(item, inner) for item in cast("list[object]", value)]
        brackets = "[]"
    body = f",\n{inner}".join(items)
    return f"{brackets[0]}\n{inner}{body}\n{indent}{brackets[1]}"
