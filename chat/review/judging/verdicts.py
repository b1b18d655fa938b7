"""Store what a judge has said about a message."""

from django.db import transaction

from chat.conversations.models import Message
from chat.generations.send.judging import JudgedText
from chat.review import chat_facts
from chat.review.verdict_models import MessageVerdict
from chat.upstream.judging.categories import HARMFUL, UNANSWERED


def store(judged: JudgedText, characters: int, message_id: int) -> bool:
    """Store the verdict on a text of so many characters; return False if the message is gone."""
    with transaction.atomic():
        present = Message.objects.select_for_update(no_key=True).filter(pk=message_id)
        chat_id = present.values_list("conversation", flat=True).first()
        if chat_id is None:
            return False
        MessageVerdict.objects.update_or_create(
            message_id=message_id,
            defaults={
                "model": judged.model,
                "probabilities": judged.probabilities,
                "harm": judged.probabilities.get(HARMFUL, 0.0),
                "unanswered": judged.probabilities.get(UNANSWERED),
                "topic": judged.topic,
                "characters": characters,
                "microdollars": judged.microdollars,
                "milliseconds": judged.milliseconds,
            },
        )
    if judged.topic:
        chat_facts.add(chat_id, "topics", judged.topic, "\n")
    return True
