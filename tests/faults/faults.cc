// Makes system calls fail, for tests: a library to be named in LD_PRELOAD. The program under test
// does not notice it.
//
//   SOSIE_FAULT=CALL:N:ERROR   the N-th CALL (of the table below) from the first on fails with
//                              ERROR (ENOSPC, EIO, EINTR, EACCES)
//   SOSIE_FAULT=short          reads and writes stop at 1,000 bytes; every third is interrupted
//   SOSIE_FAULT_COUNTS=FILE    the numbers of calls: "pread 17" and so on, one per line
//
//   SOSIE_FAULT_STANDARD=1     standard input and output are also affected, not only files
//
// Standard error is not affected.

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

constexpr std::array<const char*, 8> kCalls = {"pread",  "write",    "read",    "fsync",
                                               "rename", "mkostemp", "mkdtemp", "syncfs"};
enum Call : std::size_t { kPread, kWrite, kRead, kFsync, kRename, kMkostemp, kMkdtemp, kSyncfs };

struct NamedError {
  const char* name;
  int number;
};
constexpr std::array<NamedError, 4> kErrors = {
    {{"ENOSPC", ENOSPC}, {"EIO", EIO}, {"EINTR", EINTR}, {"EACCES", EACCES}}};

constexpr std::size_t kShortBytes = 1000;

struct Plan {
  std::size_t call = kCalls.size();  // none
  std::uint64_t number = 0;
  int error = 0;
  bool is_short = false;
  int first_descriptor = STDERR_FILENO + 1;  // the first that is affected

  Plan() {
    if (std::getenv("SOSIE_FAULT_STANDARD") != nullptr) first_descriptor = 0;
    const char* text = std::getenv("SOSIE_FAULT");
    if (text == nullptr) return;
    is_short = std::string_view(text) == "short";
    std::array<char, 16> name{};
    std::array<char, 16> error_name{};
    unsigned long long count = 0;
    if (std::sscanf(text, "%15[a-z]:%llu:%15[A-Z]", name.data(), &count, error_name.data()) != 3) {
      return;
    }
    const auto* found = std::find_if(kCalls.begin(), kCalls.end(), [&](const char* known) {
      return std::string_view(known) == name.data();
    });
    call = static_cast<std::size_t>(found - kCalls.begin());
    number = count;
    for (const NamedError& known : kErrors) {
      if (std::string_view(known.name) == error_name.data()) error = known.number;
    }
  }
};

struct Counters {
  std::array<std::atomic<std::uint64_t>, kCalls.size()> calls{};

  ~Counters() {
    const char* path = std::getenv("SOSIE_FAULT_COUNTS");
    if (path == nullptr) return;
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr) return;
    for (std::size_t i = 0; i < kCalls.size(); ++i) {
      std::fprintf(file, "%s %llu\n", kCalls[i], static_cast<unsigned long long>(calls[i].load()));
    }
    std::fclose(file);
  }
};

const Plan& plan() {
  static const Plan plan;
  return plan;
}

Counters& counters() {
  static Counters counters;
  return counters;
}

// Counts a call; returns true, with errno set, if it should fail.
bool fails(Call call) {
  const std::uint64_t number = ++counters().calls[call];
  if (plan().call == call && plan().number == number) {
    errno = plan().error;
    return true;
  }
  if (plan().is_short && call <= kRead && number % 3 == 0) {
    errno = EINTR;
    return true;
  }
  return false;
}

bool is_left_alone(int descriptor) {
  return descriptor < plan().first_descriptor || descriptor == STDERR_FILENO;
}

std::size_t shortened(std::size_t size) {
  return plan().is_short ? std::min(size, kShortBytes) : size;
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t pread(int descriptor, void* out, size_t size, off_t offset) {
  static auto* const next = real<ssize_t(int, void*, size_t, off_t)>("pread");
  return fails(kPread) ? -1 : next(descriptor, out, shortened(size), offset);
}

ssize_t read(int descriptor, void* out, size_t size) {
  static auto* const next = real<ssize_t(int, void*, size_t)>("read");
  if (is_left_alone(descriptor)) return next(descriptor, out, size);
  return fails(kRead) ? -1 : next(descriptor, out, shortened(size));
}

// Names under which -D_FORTIFY_SOURCE calls both functions.
ssize_t __pread_chk(int descriptor, void* out, size_t size, off_t offset, size_t /*room*/) {
  return pread(descriptor, out, size, offset);
}

ssize_t __read_chk(int descriptor, void* out, size_t size, size_t /*room*/) {
  return read(descriptor, out, size);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static auto* const next = real<ssize_t(int, const void*, size_t)>("write");
  if (is_left_alone(descriptor)) return next(descriptor, bytes, size);
  return fails(kWrite) ? -1 : next(descriptor, bytes, shortened(size));
}

int fsync(int descriptor) {
  static auto* const next = real<int(int)>("fsync");
  return fails(kFsync) ? -1 : next(descriptor);
}

int syncfs(int descriptor) {
  static auto* const next = real<int(int)>("syncfs");
  return fails(kSyncfs) ? -1 : next(descriptor);
}

int rename(const char* from, const char* to) {
  static auto* const next = real<int(const char*, const char*)>("rename");
  return fails(kRename) ? -1 : next(from, to);
}

int mkostemp(char* name, int flags) {
  static auto* const next = real<int(char*, int)>("mkostemp");
  return fails(kMkostemp) ? -1 : next(name, flags);
}

char* mkdtemp(char* name) {
  static auto* const next = real<char*(char*)>("mkdtemp");
  return fails(kMkdtemp) ? nullptr : next(name);
}

}  // extern "C"
