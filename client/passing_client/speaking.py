"""Which language a command speaks: its flag, a variable, a file or the locale says so."""

import gettext
import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from passing_client.language import DOMAIN, LANGUAGES, catalogues, of_locale, use
from passing_client.settings import language_setting

FLAG: Final = "--lang"


def speak(words: Sequence[str], environment: Mapping[str, str] = os.environ) -> None:
    """Speak the language that the words of a command line and the settings ask for.

    It comes before the words are parsed, as the parser's help and errors are texts too; what is
    wrong with the flag is left to the parser. Raises InvalidSetting for a setting.
    """
    _speak(of_locale(environment))
    flag = flagged(words)
    if flag in LANGUAGES:
        _speak(flag)
        return
    chosen = language_setting(environment)
    if chosen is not None:
        _speak(chosen)


def flagged(words: Sequence[str]) -> str:
    """Return what follows the last `--lang` before `--`, nothing without one.

    >>> flagged(["play", "--lang", "el"]), flagged(["rules", "--lang=sv"]), flagged(["rules"])
    ('el', 'sv', '')
    """
    found = ""
    for word, following in pairwise([*words, ""]):
        if word == "--":
            break
        if word == FLAG:
            found = following
        elif word.startswith(f"{FLAG}="):
            found = word.removeprefix(f"{FLAG}=")
    return found


def _speak(code: str) -> None:
    use(code)
    # argparse takes its own texts from the domain of the process, in the language of the variable.
    os.environ["LANGUAGE"] = code
    gettext.bindtextdomain(DOMAIN, str(catalogues()))
    gettext.textdomain(DOMAIN)
