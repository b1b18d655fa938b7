"""Test a change of model, prompt or documents on datasets of earlier and invented questions."""
