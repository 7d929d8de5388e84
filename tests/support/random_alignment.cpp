// malloc and its kin at random multiples of 16 bytes, for tests that a run's bits do not depend on where its
// memory lies: LD_PRELOAD the module, ALIGNMENT_SEED chooses. glibc only.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" {

void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

namespace {

// In the 16 bytes before the memory that was asked for.
struct Header {
  void* block;
  std::size_t size;
};
static_assert(sizeof(Header) == 16);

Header* header_of(void* memory) {
  return static_cast<Header*>(memory) - 1;
}

std::uint64_t random_number() {
  static thread_local std::uint64_t state = 0;
  if (state == 0) {
    const char* const seed = std::getenv("ALIGNMENT_SEED");
    state = 0x9E3779B97F4A7C15u * (seed != nullptr ? std::strtoull(seed, nullptr, 10) + 1 : 1);
  }
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state >> 33;
}

void* allocate(std::size_t alignment, std::size_t size, std::size_t shift) {
  const std::size_t room = alignment + shift;
  void* const block = size < SIZE_MAX / 2 ? __libc_memalign(alignment, size + room) : nullptr;
  if (block == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  void* const memory = static_cast<char*>(block) + room;
  *header_of(memory) = {block, size};
  return memory;
}

}  // namespace

void* malloc(std::size_t size) {
  return allocate(64, size, 16 * (random_number() % 4));
}

void free(void* memory) {
  if (memory != nullptr) __libc_free(header_of(memory)->block);
}

void* calloc(std::size_t count, std::size_t size) {
  std::size_t total = 0;
  void* const memory = __builtin_mul_overflow(count, size, &total) ? nullptr : malloc(total);
  if (memory != nullptr) std::memset(memory, 0, total);
  return memory;
}

void* realloc(void* memory, std::size_t size) {
  void* const other = malloc(size);
  if (memory == nullptr || other == nullptr) return other;
  const std::size_t before = header_of(memory)->size;
  std::memcpy(other, memory, before < size ? before : size);
  free(memory);
  return other;
}

void* memalign(std::size_t alignment, std::size_t size) {
  return allocate(alignment < 64 ? 64 : alignment, size, 0);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

std::size_t malloc_usable_size(void* memory) {
  return memory != nullptr ? header_of(memory)->size : 0;
}
}
