"""Load what the site takes long to load and what needs no settings: see forked.py."""

# ruff: noqa: F401  (loaded for the processes that are forked from this one)

import cryptography.fernet
import cryptography.x509
import django.core.management
import django.db.backends.sqlite3.base
import django.forms
import django.template.defaulttags
import django.test.utils
import fido2.server
import httpx
import jwt
import msgspec
import prometheus_client
import psycopg_pool
import redis.asyncio
import requests
import rich.console
import sqlparse
import whitenoise.middleware
