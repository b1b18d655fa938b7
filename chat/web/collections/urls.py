"""Route collections of documents: a member's own and the site's."""

from django.urls import include, path

from chat.web.collections.views import adding, collections, documents

_of_collection = [
    path("", collections.show, name="collection"),
    path("settings/", collections.change, name="change_collection"),
    path("deletion/", collections.deletion, name="delete_collection"),
    path("documents/", collections.list_documents, name="documents"),
    path("failed/", documents.remove_failed, name="remove_failed"),
]
_of_document = [
    path("", documents.show, name="document"),
    path("file/", documents.download, name="document_file"),
    path("page/", documents.page_picture, name="document_page"),
    path("retry/", documents.retry, name="retry_document"),
    path("deletion/", documents.deletion, name="delete_document"),
]
urlpatterns = [
    path("collections/", collections.show_all, name="collections"),
    path("collections/new/", collections.new, name="new_collection"),
    # Without an id in its path: limits of bodies are by path.
    path("collections/files/", adding.add, name="add_documents"),
    path("collections/<uuid:collection_id>/", include(_of_collection)),
    path("collections/documents/<uuid:document_id>/", include(_of_document)),
]
