"""The pages of the screen, each drawn whole from what there is to see."""
