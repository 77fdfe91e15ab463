// Made by tools/make_language_letters.py; do not edit.
#include "io/language_letters.h"

#include <array>

namespace sosie {
namespace {

// clang-format off
constexpr std::array<LetterOften, 10> kCatalan = {{
  {0x00F3, -133}, {0x00E0, -162}, {0x00E9, -172}, {0x00E8, -249}, {0x00ED, -255}, {0x00FA, -284},
  {0x00F2, -285}, {0x00E7, -300}, {0x00EF, -375}, {0x00FC, -471},
}};
constexpr std::array<LetterOften, 12> kCzech = {{
  {0x00ED, -138}, {0x00E1, -165}, {0x0159, -226}, {0x00E9, -254}, {0x010D, -256}, {0x00FD, -259},
  {0x017E, -262}, {0x011B, -282}, {0x0161, -328}, {0x016F, -358}, {0x00FA, -470}, {0x00F3, -515},
}};
constexpr std::array<LetterOften, 4> kDanish = {{
  {0x00E6, -92}, {0x00F8, -115}, {0x00E5, -139}, {0x00E9, -364},
}};
constexpr std::array<LetterOften, 4> kGerman = {{
  {0x00FC, -64}, {0x00E4, -143}, {0x00F6, -191}, {0x00DF, -272},
}};
constexpr std::array<LetterOften, 6> kSpanish = {{
  {0x00F3, -79}, {0x00E1, -148}, {0x00ED, -211}, {0x00FA, -234}, {0x00E9, -301}, {0x00F1, -301},
}};
constexpr std::array<LetterOften, 5> kEstonian = {{
  {0x00E4, -95}, {0x00F5, -112}, {0x00FC, -148}, {0x00F6, -310}, {0x017E, -488},
}};
constexpr std::array<LetterOften, 2> kFinnish = {{
  {0x00E4, -11}, {0x00F6, -226},
}};
constexpr std::array<LetterOften, 8> kFrench = {{
  {0x00E9, -31}, {0x00E0, -252}, {0x00E8, -255}, {0x00EA, -294}, {0x00F4, -395}, {0x00EE, -436},
  {0x00E7, -487}, {0x00E2, -519},
}};
constexpr std::array<LetterOften, 5> kIrish = {{
  {0x00E1, -114}, {0x00ED, -127}, {0x00E9, -180}, {0x00FA, -201}, {0x00F3, -227},
}};
constexpr std::array<LetterOften, 6> kGalician = {{
  {0x00F3, -115}, {0x00E1, -155}, {0x00ED, -178}, {0x00E9, -199}, {0x00FA, -237}, {0x00F1, -275},
}};
constexpr std::array<LetterOften, 6> kCroatian = {{
  {0x010D, -113}, {0x0161, -148}, {0x0107, -177}, {0x017E, -177}, {0x0111, -247}, {0x020F, -410},
}};
constexpr std::array<LetterOften, 9> kHungarian = {{
  {0x00E1, -111}, {0x00E9, -132}, {0x00ED, -233}, {0x00F3, -235}, {0x00F6, -266}, {0x0151, -277},
  {0x00FC, -327}, {0x00FA, -376}, {0x0171, -407},
}};
constexpr std::array<LetterOften, 6> kItalian = {{
  {0x00E8, -57}, {0x00E0, -148}, {0x00F2, -257}, {0x00F9, -271}, {0x00E9, -333}, {0x00ED, -513},
}};
constexpr std::array<LetterOften, 9> kLithuanian = {{
  {0x0161, -147}, {0x0117, -166}, {0x0173, -188}, {0x012F, -215}, {0x0105, -228}, {0x017E, -244},
  {0x010D, -307}, {0x016B, -312}, {0x0119, -349},
}};
constexpr std::array<LetterOften, 4> kNorwegian = {{
  {0x00E5, -66}, {0x00F8, -86}, {0x00E6, -299}, {0x00E9, -490},
}};
constexpr std::array<LetterOften, 10> kDutch = {{
  {0x00E9, -112}, {0x00EB, -115}, {0x00EF, -165}, {0x00F3, -292}, {0x00E1, -362}, {0x00ED, -377},
  {0x00E3, -465}, {0x00F0, -465}, {0x00FA, -487}, {0x00E7, -516},
}};
constexpr std::array<LetterOften, 9> kPolish = {{
  {0x0142, -157}, {0x017C, -197}, {0x0119, -202}, {0x0105, -203}, {0x015B, -207}, {0x00F3, -224},
  {0x0107, -228}, {0x0144, -324}, {0x017A, -440},
}};
constexpr std::array<LetterOften, 11> kPortuguese = {{
  {0x00E3, -119}, {0x00E7, -163}, {0x00E1, -198}, {0x00ED, -231}, {0x00E9, -252}, {0x00F3, -300},
  {0x00F5, -318}, {0x00FA, -319}, {0x00EA, -357}, {0x00E2, -486}, {0x00F4, -519},
}};
constexpr std::array<LetterOften, 7> kRomanian = {{
  {0x0103, -68}, {0x021B, -181}, {0x0219, -187}, {0x00EE, -216}, {0x00E2, -327}, {0x0163, -437},
  {0x015F, -453},
}};
constexpr std::array<LetterOften, 14> kSlovak = {{
  {0x00E1, -164}, {0x00ED, -217}, {0x010D, -225}, {0x00FA, -233}, {0x00FD, -234}, {0x00E9, -239},
  {0x0165, -248}, {0x017E, -249}, {0x013E, -304}, {0x0161, -308}, {0x00F4, -463}, {0x00E4, -471},
  {0x00F3, -476}, {0x0148, -495},
}};
constexpr std::array<LetterOften, 3> kSlovenian = {{
  {0x010D, -53}, {0x0161, -139}, {0x017E, -181},
}};
constexpr std::array<LetterOften, 3> kSwedish = {{
  {0x00E4, -76}, {0x00F6, -116}, {0x00E5, -154},
}};
constexpr std::array<LetterOften, 6> kTurkish = {{
  {0x0131, -79}, {0x015F, -200}, {0x00E7, -203}, {0x00FC, -208}, {0x011F, -237}, {0x00F6, -281},
}};
constexpr std::array<LanguageLetters, 23> kLanguages = {{
  {kCatalan}, {kCzech}, {kDanish}, {kGerman}, {kSpanish}, {kEstonian},
  {kFinnish}, {kFrench}, {kIrish}, {kGalician}, {kCroatian}, {kHungarian},
  {kItalian}, {kLithuanian}, {kNorwegian}, {kDutch}, {kPolish}, {kPortuguese},
  {kRomanian}, {kSlovak}, {kSlovenian}, {kSwedish}, {kTurkish},
}};
// clang-format on

}  // namespace

std::span<const LanguageLetters> language_letters() noexcept { return kLanguages; }

}  // namespace sosie
