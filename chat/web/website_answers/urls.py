"""Route the answers that a website's team writes."""

from django.urls import path

from chat.web.website_answers.views import answers, gaps, trial

ANSWERS = "sites/<slug:key>/answers/"
GAPS = "sites/<slug:key>/gaps/"
TRY = "sites/<slug:key>/try/"

urlpatterns = [
    path(ANSWERS, answers.show_all, name="site_answers"),
    path(f"{ANSWERS}new/", answers.new, name="new_site_answer"),
    path(f"{ANSWERS}<uuid:snippet_id>/", answers.change, name="site_answer"),
    path(f"{ANSWERS}<uuid:snippet_id>/deletion/", answers.deletion, name="delete_site_answer"),
    path(
        f"{ANSWERS}<uuid:snippet_id>/dismissal/", answers.dismissal, name="dismiss_contradictions"
    ),
    path(GAPS, gaps.show_all, name="site_gaps"),
    path(f"{GAPS}<int:gap_id>/draft/", gaps.draft, name="draft_gap"),
    path(f"{GAPS}<int:gap_id>/answer/", gaps.answer, name="answer_gap"),
    path(f"{GAPS}<int:gap_id>/dismissal/", gaps.dismissal, name="dismiss_gap"),
    path(TRY, trial.show, name="try_site"),
    path(f"{TRY}cases/", trial.keep, name="keep_case"),
    path(f"{TRY}runs/", trial.run, name="run_cases"),
    path(f"{TRY}runs/schedule/", trial.schedule, name="schedule_cases"),
    path(f"{TRY}cases/<uuid:case_id>/deletion/", trial.deletion, name="delete_case"),
]
