#include "shell.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace slaq::e2e {

Output shell(const std::string& command, const std::string& input) {
  char file[] = "/tmp/slaq-e2e-XXXXXX";
  const int descriptor = mkstemp(file);
  std::ofstream(file) << input;
  close(descriptor);
  Output output;
  FILE* pipe = popen(("{ " + command + "; } < " + file + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (const auto count = fread(buffer.data(), 1, buffer.size(), pipe))
    output.text.append(buffer.data(), count);
  output.code = WEXITSTATUS(pclose(pipe));
  unlink(file);
  return output;
}

}  // namespace slaq::e2e
