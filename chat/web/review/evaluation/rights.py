"""Who may use the pages of evaluation."""

from chat.review.staff.roles import Right
from chat.web.review.http.staff_access import for_staff

#: Turns of chats are among what these pages show, so they need a reason for access.
evaluating = for_staff(Right.EVALUATION)
