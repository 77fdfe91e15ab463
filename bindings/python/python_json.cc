// Converts Python rows to JSON: str, bytes, numbers, lists, sets, mappings, their numpy
// equivalents, dates, times and decimals.
#include "python_json.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "sosie/error.h"

namespace nb = nanobind;

namespace sosie::python {
namespace {

// A text that is not valid UTF-8: it contains half of a surrogate pair, which
// errors="surrogateescape" may leave.
struct LoneSurrogate {};

// A value of a type that has no JSON.
struct OddValue {
  std::string type;
};

class JsonLine {
 public:
  explicit JsonLine(std::string& out) : out_(out) {}

  void add(nb::handle value) {
    PyObject* object = value.ptr();
    if (PyUnicode_Check(object)) return add_text(value);
    if (object == Py_None) return add_word("null");
    if (PyBool_Check(object)) return add_word(object == Py_True ? "true" : "false");
    if (PyLong_Check(object)) return add_whole(value);
    if (PyFloat_Check(object)) return add_number(PyFloat_AsDouble(object));
    add_deeper(value);
  }

  void add_text(nb::handle text) { add_string(utf8_of(text)); }

  // A record: numbers that JSON lacks become what they are in a column of an Arrow table.
  void add_record(nb::handle record) {
    add_pairs(record, [this](nb::handle value) { add_field(value); });
  }

  void add_string(std::string_view text) {
    constexpr char kDigits[] = "0123456789abcdef";
    out_ += '"';
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20) {
        out_ += "\\u00";
        out_ += kDigits[byte >> 4];
        out_ += kDigits[byte & 15];
        continue;
      }
      if (c == '"' || c == '\\') out_ += '\\';
      out_ += c;
    }
    out_ += '"';
  }

  void add_word(std::string_view word) { out_ += word; }

 private:
  static std::string_view utf8_of(nb::handle text) {
    Py_ssize_t size = 0;
    const char* utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (utf8 != nullptr) return {utf8, static_cast<std::size_t>(size)};
    const nb::python_error cause;
    if (!cause.matches(PyExc_UnicodeEncodeError)) throw nb::python_error(cause);
    throw LoneSurrogate{};
  }

  void add_whole(nb::handle value) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow == 0) {
      out_ += std::to_string(number);
    } else {
      out_ += nb::str(value).c_str();
    }
  }

  void add_number(double number) {
    if (std::isnan(number)) return add_word("NaN");
    if (std::isinf(number)) return add_word(number > 0 ? "Infinity" : "-Infinity");
    out_ += nb::repr(nb::float_(number)).c_str();
  }

  void add_deeper(nb::handle value) {
    if (Py_EnterRecursiveCall(" in a row") != 0) throw nb::python_error();
    struct Leave {
      ~Leave() { Py_LeaveRecursiveCall(); }
    } const leave;
    PyObject* object = value.ptr();
    if (PyList_Check(object) || PyTuple_Check(object)) return add_list(value);
    if (PyAnySet_Check(object)) return add_set(value);
    if (PyDict_Check(object) || nb::hasattr(value, "items")) return add_mapping(value);
    if (PyBytes_Check(object)) return add_bytes(value);
    // Arrays and scalars of numpy. tolist() gives times in nanoseconds as integers.
    if (nb::hasattr(value, "tolist") && !holds_times(value)) return add(value.attr("tolist")());
    const nb::object json = nb::module_::import_("sosie._scalars").attr("json_of")(value);
    if (!json.is_none()) return add_word(utf8_of(json));
    throw OddValue{nb::type_name(value.type()).c_str()};
  }

  static bool holds_times(nb::handle array) {
    const nb::object type = nb::getattr(array, "dtype", nb::none());
    const auto kind = nb::cast<std::string>(nb::getattr(type, "kind", nb::str("")));
    return kind == "M" || kind == "m";
  }

  void add_bytes(nb::handle value) {
    const nb::bytes bytes = nb::borrow<nb::bytes>(value);
    add_string({bytes.c_str(), bytes.size()});
  }

  void add_list(nb::handle list) {
    out_ += '[';
    bool first = true;
    for (const nb::handle item : list) {
      if (!std::exchange(first, false)) out_ += ", ";
      add(item);
    }
    out_ += ']';
  }

  void add_set(nb::handle set) {
    std::vector<std::pair<std::string, std::string>> items;  // text, JSON
    for (const nb::handle item : set) {
      std::string json;
      JsonLine(json).add(item);
      const nb::str text(item);
      items.emplace_back(utf8_of(text), std::move(json));
    }
    std::sort(items.begin(), items.end());
    out_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ", ";
      out_ += items[i].second;
    }
    out_ += ']';
  }

  void add_field(nb::handle value) {
    PyObject* object = value.ptr();
    const bool is_plain = PyUnicode_Check(object) || PyLong_Check(object) || PyFloat_Check(object);
    if (!is_plain && nb::hasattr(value, "tolist") && !holds_times(value)) {
      return add_field(value.attr("tolist")());
    }
    const double number = PyFloat_Check(object) ? PyFloat_AsDouble(object) : 0;
    if (std::isnan(number)) return add_word("null");
    if (std::isinf(number)) return add_word(number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    add(value);
  }

  void add_mapping(nb::handle mapping) {
    add_pairs(mapping, [this](nb::handle value) { add(value); });
  }

  template <class AddValue>
  void add_pairs(nb::handle mapping, AddValue add_value) {
    out_ += '{';
    bool first = true;
    for (const nb::handle item : mapping.attr("items")()) {
      if (!std::exchange(first, false)) out_ += ", ";
      add_name(item[0]);
      out_ += ": ";
      add_value(item[1]);
    }
    out_ += '}';
  }

  // A key is a text, or its JSON form.
  void add_name(nb::handle key) {
    if (PyUnicode_Check(key.ptr())) return add_text(key);
    std::string name;
    JsonLine(name).add(key);
    add_string(name);
  }

  std::string& out_;
};

void append(nb::handle row, const std::vector<std::string>& columns, std::string& out) {
  JsonLine line(out);
  if (columns.empty()) {
    return nb::hasattr(row, "items") ? line.add_record(row) : line.add(row);
  }
  if (columns.size() > 1 && static_cast<std::size_t>(nb::len(row)) != columns.size()) {
    throw nb::value_error("a row has a different number of values than there are columns");
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    line.add_word(i == 0 ? "{" : ", ");
    line.add_string(columns[i]);
    line.add_word(": ");
    line.add(columns.size() == 1 ? nb::object(nb::borrow(row)) : nb::object(row[i]));
  }
  line.add_word("}");
}

}  // namespace

void append_json_line(nb::handle row, const std::vector<std::string>& columns, std::size_t number,
                      std::string& out) {
  try {
    append(row, columns, out);
  } catch (const LoneSurrogate&) {
    throw Error(ErrorKind::malformed_input, BadPlace{"row " + std::to_string(number)},
                "a text contains a lone surrogate, which is not a character",
                "text.encode(errors='replace').decode() replaces them");
  } catch (const OddValue& odd) {
    throw nb::type_error(
        ("row " + std::to_string(number) + ": items must be str, numbers or dates, not " + odd.type)
            .c_str());
  }
  out += '\n';
}

}  // namespace sosie::python
