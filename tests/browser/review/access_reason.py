"""Let the reasons for access expire on a live site."""

REASON_ENDS = """
from chat.accounts.sessions.session_store import SessionStore
from chat.accounts.sessions.session_store import UserSession
for each in UserSession.objects.all():
    session = SessionStore(each.session_key)
    if "review_reason" in session:
        session["review_reason"] = session["review_reason"] | {"until": 0}
        session.save()
"""
