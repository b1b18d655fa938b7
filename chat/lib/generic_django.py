"""Django classes that take a type parameter in their stubs, but not at run time."""

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
