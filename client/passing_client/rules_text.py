"""The rules of the game in the language that is spoken."""

from passing_client.language import spoken
from passing_protocol.resources import find_data, read_data


def rules_text() -> str:
    """Return the rules as Markdown, the English ones where there is no translation."""
    name = f"RULES.{spoken()}.md"
    return read_data(name if find_data(name).is_file() else "RULES.md")
