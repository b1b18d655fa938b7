"""Route the pages of datasets, and of runs that answer their questions."""

from django.urls import path

from chat.web.review.evaluation.views import comparison, copies, datasets, runs

urlpatterns = [
    path("evaluation/", datasets.all_datasets, name="review_datasets"),
    path("evaluation/<int:dataset_id>/", datasets.show_dataset, name="review_dataset"),
    path("evaluation/<int:dataset_id>/items/", datasets.add_item, name="review_dataset_items"),
    path("evaluation/<int:dataset_id>/upload/", datasets.upload, name="review_dataset_upload"),
    path(
        "evaluation/<int:dataset_id>/items/<int:item_id>/removal/",
        datasets.remove_item,
        name="review_dataset_item_removal",
    ),
    path("evaluation/<int:dataset_id>/deletion/", datasets.delete, name="review_dataset_deletion"),
    path(
        "evaluation/<int:dataset_id>/items.jsonl",
        datasets.dataset_file,
        name="review_dataset_file",
    ),
    path("evaluation/<int:dataset_id>/runs/", runs.new_run, name="review_evaluation_new"),
    path(
        "evaluation/<int:dataset_id>/runs/<int:run_id>/",
        runs.show_run,
        name="review_evaluation_run",
    ),
    path(
        "evaluation/<int:dataset_id>/runs/<int:run_id>/cancellation/",
        runs.cancel,
        name="review_evaluation_cancellation",
    ),
    path(
        "evaluation/<int:dataset_id>/runs/<int:run_id>/resumption/",
        runs.resume,
        name="review_evaluation_resumption",
    ),
    path(
        "evaluation/<int:dataset_id>/runs/<int:run_id>/deletion/",
        runs.delete,
        name="review_evaluation_deletion",
    ),
    path(
        "evaluation/<int:dataset_id>/runs/<int:run_id>/answers.jsonl",
        runs.answers_file,
        name="review_evaluation_file",
    ),
    path("evaluation/<int:dataset_id>/comparison/", comparison.compare, name="review_comparison"),
    path(
        "evaluation/<int:dataset_id>/votes/<int:one>/<int:other>/",
        comparison.vote,
        name="review_blind_vote",
    ),
    path(
        "<uuid:conversation_id>/messages/<int:message_id>/copy/",
        copies.copy_answer,
        name="review_answer_copy",
    ),
    path("cases/<int:case_id>/copy/", copies.copy_flagged, name="review_case_copy"),
]
