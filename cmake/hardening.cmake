# Hardens everything that ships (docs/decisions/0010): a remaining bug ends the process before an
# attacker can use it. _FORTIFY_SOURCE needs optimisation, so Debug builds do without it.
include(CheckCXXCompilerFlag)

target_compile_options(sosie_flags INTERFACE -fstack-protector-strong)
foreach(flag IN ITEMS -fstack-clash-protection -fcf-protection)  # the latter exists on x86 alone
  string(MAKE_C_IDENTIFIER "SOSIE_HAS${flag}" has_flag)
  check_cxx_compiler_flag("-Werror ${flag}" ${has_flag})
  if(${has_flag})
    target_compile_options(sosie_flags INTERFACE ${flag})
  endif()
endforeach()
target_compile_definitions(sosie_flags INTERFACE _GLIBCXX_ASSERTIONS)
target_compile_options(sosie_flags INTERFACE
  $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
target_link_options(sosie_flags INTERFACE -Wl,-z,relro,-z,now -Wl,-z,noexecstack)
# Executables get -pie; the libraries are position-independent anyway.
include(CheckPIESupported)
check_pie_supported()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
