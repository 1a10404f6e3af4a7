"""The page of a table: who sits there, the train, one's own hand, and what can be done.

Bands lie one upon the other, each as wide as the screen. Where it is small, everything takes
fewer lines; where it is large, what was said stands below the train or beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from passing_client.model import TableModel
from passing_client.screen.cells import Line
from passing_client.screen.filters import is_writing
from passing_client.screen.pages import waiting_room
from passing_client.screen.panels.hand import presenter as hand_presenter
from passing_client.screen.panels.hand import view as hand_view
from passing_client.screen.panels.hints import presenter as hints_presenter
from passing_client.screen.panels.hints import view as hints_view
from passing_client.screen.panels.log import presenter as log_presenter
from passing_client.screen.panels.log import view as log_view
from passing_client.screen.panels.message import presenter as message_presenter
from passing_client.screen.panels.message import view as message_view
from passing_client.screen.panels.seats import presenter as seats_presenter
from passing_client.screen.panels.seats import view as seats_view
from passing_client.screen.panels.side import presenter as side_presenter
from passing_client.screen.panels.side import view as side_view
from passing_client.screen.panels.title import presenter as title_presenter
from passing_client.screen.panels.title import view as title_view
from passing_client.screen.panels.train import presenter as train_presenter
from passing_client.screen.panels.train import view as train_view
from passing_client.screen.parts import filled
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Focus, Scene
