// Head, navigation and foot of pages, and the pieces they share.
#include "write/html_page.h"

#include "write/html_style.h"

namespace sosie {
namespace {

// No source of anything is allowed but the page's own style: whatever a document smuggled in could
// neither run nor call out.
constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" "
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n";

}  // namespace

std::string html_page(const PageFrame& frame) {
  std::string out(kHead);
  append_html(out,
              "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
              "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n"
              "<header>\n<h1>{}</h1>\n<nav aria-label=\"On this page\"><ul>\n",
              frame.title, html_style(), frame.heading);
  for (const PageSection& section : frame.sections) {
    append_html(out, "<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
  }
  out += "</ul></nav>\n</header>\n<main id=\"content\" tabindex=\"-1\">\n" + frame.before;
  for (const PageSection& section : frame.sections) {
    append_html(out, "<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
                section.id, section.title, section.body);
  }
  append_html(out, "</main>\n<footer class=\"faint\"><p>{}</p></footer>\n</body>\n</html>\n",
              frame.foot);
  return out;
}

void append_total(std::string& out, std::string_view kind, std::string_view name,
                  std::string_view value, std::string_view remark) {
  append_html(out, "<div class=\"{}\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", kind, name,
              value, remark);
}

void open_table(std::string& out, std::string_view caption) {
  append_html(out,
              "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">\n"
              "<table>\n<caption>{0}</caption>\n",
              caption);
}

}  // namespace sosie
