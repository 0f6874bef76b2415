# Builds the page of the viewer, viewer/, with npm and Vite into one HTML file, PLIANT_PAGE. Everything npm fetches lies in
# the build folder: the source tree stays as it is. Without Node.js, or with PLIANT_VIEWER off, a page that says so is
# taken instead.
set(PLIANT_PAGE ${PROJECT_SOURCE_DIR}/src/pliant/view/no_viewer.html)
set(viewer_source ${PROJECT_SOURCE_DIR}/viewer)
find_program(PLIANT_NPM npm)
mark_as_advanced(PLIANT_NPM)
if(PLIANT_VIEWER AND NOT PLIANT_NPM)
  message(WARNING "npm was not found: `pliant view` will have no page. Install Node.js and npm, or set PLIANT_VIEWER=OFF")
endif()
if(PLIANT_VIEWER AND PLIANT_NPM AND EXISTS ${viewer_source}/package-lock.json AND EXISTS ${viewer_source}/index.html)
  set(viewer_build ${PROJECT_BINARY_DIR}/viewer)
  set(PLIANT_PAGE ${viewer_build}/page/index.html)
  file(GLOB_RECURSE viewer_files CONFIGURE_DEPENDS ${viewer_source}/src/* ${viewer_source}/public/*)
  file(GLOB viewer_settings CONFIGURE_DEPENDS ${viewer_source}/*.html ${viewer_source}/*.json ${viewer_source}/*.[jt]s)
  # Fetched anew only when the list of packages changes, in the versions it states. Not with `npm ci`, which refuses a list
  # without the packages of other platforms, and mirrors may have only ours.
  add_custom_command(
    OUTPUT ${viewer_build}/fetched
    COMMAND ${CMAKE_COMMAND} -E make_directory ${viewer_build}
    COMMAND ${CMAKE_COMMAND} -E copy ${viewer_source}/package.json ${viewer_source}/package-lock.json
            ${viewer_source}/.npmrc ${viewer_build}
    COMMAND ${PLIANT_NPM} install --no-save --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch fetched
    DEPENDS ${viewer_source}/package.json ${viewer_source}/package-lock.json ${viewer_source}/.npmrc
    WORKING_DIRECTORY ${viewer_build}
    COMMENT "Fetching what the viewer's page is built with (PLIANT_VIEWER=OFF goes without)"
    VERBATIM)
  add_custom_command(
    OUTPUT ${PLIANT_PAGE}
    COMMAND ${CMAKE_COMMAND} -E rm -rf src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${viewer_source}/src src
    COMMAND ${CMAKE_COMMAND} -E copy ${viewer_settings} .
    COMMAND ${PLIANT_NPM} exec --offline -- vite build --logLevel warn --outDir page --emptyOutDir
    DEPENDS ${viewer_build}/fetched ${viewer_files} ${viewer_settings}
    WORKING_DIRECTORY ${viewer_build}
    COMMENT "Building the viewer's page"
    VERBATIM)
endif()
