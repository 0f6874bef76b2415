# The C++ that the README shows, as a program: the indented lines from its first include to the end of the example.
/^    #include <pliant\// { print substr($0, 5); found = 1; next }
found && /^    / { body = body $0 "\n"; next }
found && NF { exit }
END {
  if (body == "") exit 1
  print "\nint main() {\n" body "  return pliant::is_converged(report.outcome.status) ? 0 : 1;\n}"
}
