"""Frozen records with named fields: dataclasses that cost no time.

The command imports this package each time it is run, and the module `dataclasses`, with what it
imports and compiles, would take longer than all the rest.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

_NO_DEFAULT = object()


class _Fields(type):
    """Makes slots of the annotated names in the body of a class, and keeps their defaults."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], body: dict[str, Any], **_options: Any
    ) -> _Fields:
        fields = tuple(body.get("__annotations__", ()))
        defaults = {field: body.pop(field) for field in fields if field in body}
        body |= {"__slots__": fields, "__match_args__": fields, "_defaults": defaults}
        made = super().__new__(cls, name, bases, body)
        made._setters = tuple(made.__dict__[field].__set__ for field in fields)
        return made

    _setters: tuple[Any, ...]  # of the slots, past `__setattr__`


@dataclass_transform(frozen_default=True)
class Record(metaclass=_Fields):
    """Its subclasses annotate their fields. Records of one class are equal where their fields are.

    A default is shared by all records, so it must be one that cannot change.
    """

    if TYPE_CHECKING:  # `_Fields` makes them for each class
        __match_args__: ClassVar[tuple[str, ...]]
        _defaults: ClassVar[dict[str, Any]]
        _setters: ClassVar[tuple[Any, ...]]

    def __init__(self, *values: Any, **named: Any) -> None:
        setters = self._setters
        if named:
            values = self._in_order(values, named)
        elif len(values) != len(setters):
            values += self._defaults_of_last(len(setters) - len(values))
        for place, set_field in enumerate(setters):
            set_field(self, values[place])

    def _in_order(self, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        fields = self.__match_args__
        if values or len(named) != len(fields):
            named = {**self._defaults, **dict(zip(fields, values, strict=False)), **named}
        if len(values) > len(fields) or len(named) != len(fields):
            raise self._misfit()
        try:
            return tuple(map(named.__getitem__, fields))
        except KeyError:
            raise self._misfit() from None

    def _defaults_of_last(self, count: int) -> tuple[Any, ...]:
        if not 0 < count <= len(self._defaults):
            raise self._misfit()
        return (*self._defaults.values(),)[-count:]

    def _misfit(self) -> TypeError:
        return TypeError(f"{type(self).__name__} takes {', '.join(self.__match_args__)}")

    def replace(self, **changes: Any) -> Self:
        """The same record with other values in some fields."""
        return type(self)(**{**fields_of(self), **changes})

    def __setattr__(self, field: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__}.{field} cannot be changed")

    def __delattr__(self, field: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{field} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in fields_of(self).items())
        return f"{type(self).__name__}({fields})"

    def __reduce__(self) -> tuple[partial[Self], tuple[()]]:
        return partial(type(self), **fields_set(self)), ()  # a default may be no thing to pickle


def fields_of(record: Record) -> dict[str, Any]:
    """The fields of a record by name."""
    return {field: getattr(record, field) for field in record.__match_args__}


def fields_set(record: Record) -> dict[str, Any]:
    """The fields of a record, by name, that hold something else than their default."""
    found, default = {}, record._defaults.get
    for name in record.__match_args__:
        field = getattr(record, name)
        if field is not default(name, _NO_DEFAULT):
            found[name] = field
    return found


def _values(record: Record) -> tuple[Any, ...]:
    return tuple(fields_of(record).values())
