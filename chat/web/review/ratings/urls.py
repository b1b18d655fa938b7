"""Route the pages of what staff rate, and of the forms for it."""

from django.urls import path

from chat.web.review.ratings.views import rating_forms, samples, tasks

urlpatterns = [
    path("ratings/", tasks.show_tasks, name="review_tasks"),
    path("ratings/next/", tasks.rate_next, name="review_next_task"),
    path("rating-forms/", rating_forms.show_forms, name="review_rating_forms"),
    path("rating-forms/new/", rating_forms.new, name="review_new_rating_form"),
    path("rating-forms/<int:form_id>/", rating_forms.show_form, name="review_rating_form"),
    path(
        "rating-forms/<int:form_id>/questions/",
        rating_forms.change,
        name="review_rating_form_edit",
    ),
    path(
        "rating-forms/<int:form_id>/deletion/",
        rating_forms.remove,
        name="review_rating_form_deletion",
    ),
    path(
        "rating-forms/<int:form_id>/disagreements/",
        rating_forms.show_disagreements,
        name="review_disagreements",
    ),
    path(
        "rating-forms/<int:form_id>/ratings.<slug:kind>",
        rating_forms.export,
        name="review_ratings_export",
    ),
    path("rating-forms/<int:form_id>/samples/new/", samples.new, name="review_new_sample"),
    path(
        "rating-forms/<int:form_id>/samples/<int:sample_id>/",
        samples.change,
        name="review_sample",
    ),
    path(
        "rating-forms/<int:form_id>/samples/<int:sample_id>/deletion/",
        samples.remove,
        name="review_sample_deletion",
    ),
    path(
        "rating-forms/<int:form_id>/samples/<int:sample_id>/draws/",
        samples.draw_now,
        name="review_draw",
    ),
]
