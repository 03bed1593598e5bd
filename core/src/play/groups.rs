//! Groups: several things that rows, terms and sets are given at once, as a stack or those who move together.
//!
//! Everything given is a whole number, so a group is given by its handle. Whoever makes one forgets it when nobody asks
//! about it any more: a call when it is answered, a task when another begins. No handle is ever written into a state.

use std::cell::RefCell;

/// Groups made so far and not forgotten.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    list: RefCell<List>,
}

#[derive(Debug, Clone, Default)]
struct List {
    /// One group after the other.
    members: Vec<i32>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Groups {
    /// Keeps a group and hands out its handle.
    pub fn keep(&self, members: impl IntoIterator<Item = i32>) -> i32 {
        let mut list = self.list.borrow_mut();
        list.members.extend(members);
        let end = list.members.len();
        list.ends.push(end);
        list.ends.len() as i32 - 1
    }

    /// The members of a group, in the order they were kept in; of nothing there are none.
    pub fn members(&self, group: i32) -> Vec<i32> {
        let list = self.list.borrow();
        let Some(end) = usize::try_from(group).ok().and_then(|group| list.ends.get(group)) else { return Vec::new() };
        let begin = if group == 0 { 0 } else { list.ends[group as usize - 1] };
        list.members[begin..*end].to_vec()
    }

    /// How many there are, for [`Groups::back_to`].
    pub fn mark(&self) -> usize {
        self.list.borrow().ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.mark() == 0
    }

    /// How many members they have together.
    pub fn size(&self) -> usize {
        self.list.borrow().members.len()
    }

    /// Forgets those made since.
    pub fn back_to(&self, mark: usize) {
        let mut list = self.list.borrow_mut();
        if mark < list.ends.len() {
            list.ends.truncate(mark);
            let end = list.ends.last().copied().unwrap_or(0);
            list.members.truncate(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_lasts_until_it_is_forgotten() {
        let groups = Groups::default();
        let (first, none) = (groups.keep([3, 5]), groups.keep([]));
        let mark = groups.mark();
        let last = groups.keep([7]);
        assert_eq!((groups.members(first), groups.members(none), groups.members(last)), (vec![3, 5], vec![], vec![7]));
        groups.back_to(mark);
        assert_eq!((groups.members(first), groups.members(last)), (vec![3, 5], vec![]));
        assert_eq!(groups.keep([9]), last);
        groups.back_to(0);
        assert_eq!((groups.members(first), groups.members(-1), groups.size()), (vec![], vec![], 0));
    }
}
