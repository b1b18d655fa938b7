"""Classes of Django's that take a type in its stubs, and none when the program runs."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin

if TYPE_CHECKING:
    AnyModelAdmin = admin.ModelAdmin[Any]
    AnyModelForm = forms.ModelForm[Any]
    AnyMultipleChoiceField = forms.ModelMultipleChoiceField[Any]
else:
    AnyModelAdmin = admin.ModelAdmin
    AnyModelForm = forms.ModelForm
    AnyMultipleChoiceField = forms.ModelMultipleChoiceField
