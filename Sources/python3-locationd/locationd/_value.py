"""Immutable values that cost nothing at import.

`dataclasses` generates and compiles code for each class, some 15 ms for this package: half of what a script waits for its
first position. A type checker sees dataclasses here, too.
"""

from __future__ import annotations

# `typing` takes some milliseconds to import, and only a type checker needs it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, dataclass_transform
else:

    def dataclass_transform(**_):
        return lambda kind: kind



@dataclass_transform(frozen_default=True)
class Value:
    """Base of immutable values: fields are the annotations of a subclass, defaults are its class attributes."""

    _names: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        cls._names = tuple(cls.__annotations__)

    def __init__(self, *values: Any, **named: Any) -> None:
        names = self._names
        if len(values) > len(names):
            raise TypeError(f"{type(self).__name__} expects at most {len(names)} values, got {len(values)}")
        fields = dict(zip(names, values, strict=False))
        for name, value in named.items():
            if name in fields or name not in names:
                raise TypeError(f"{type(self).__name__} does not expect another '{name}'")
            fields[name] = value
        for name in names:
            if name not in fields and not hasattr(type(self), name):
                raise TypeError(f"{type(self).__name__} expects '{name}'")
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"'{name}' of {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"'{name}' of {type(self).__name__} cannot be changed")

    def _fields(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._names)

    def __eq__(self, other: object) -> bool:
        return self._fields() == other._fields() if type(other) is type(self) and isinstance(other, Value) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._names)
        return f"{type(self).__name__}({fields})"
