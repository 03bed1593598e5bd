//! Where memory comes from, and in what pages.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Takes memory in small pages from here on, as whoever holds one game wants it: the pages of two megabytes that the
/// allocator takes play many games a fiftieth faster, and take twice the memory for one.
pub fn hold_one_game() {
    // Where the system has no such pages to give up, there is nothing to do.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}
