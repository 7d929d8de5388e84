# Writes files into a C++ source as constants of csim::embedded.
#   cmake -DOUTPUT=FILE.cpp "-DNAMES=page_css;…" "-DFILES=…/page.css;…" -P embed.cmake
set(text "#include \"view/embedded.h\"\n\nnamespace csim::embedded {\n")
foreach(name file IN ZIP_LISTS NAMES FILES)
  file(READ ${file} content)
  if(content MATCHES "\\)embedded\"")
    message(FATAL_ERROR "${file}: cannot be embedded: it holds the end mark of a raw string")
  endif()
  string(APPEND text "const std::string_view ${name} = R\"embedded(${content})embedded\";\n")
endforeach()
string(APPEND text "}  // namespace csim::embedded\n")
file(WRITE ${OUTPUT} "${text}")
