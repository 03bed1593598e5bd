//! Roads as people speak of them: all that go by one name are one road.

use std::collections::{BTreeMap, VecDeque, btree_map};

use super::{Map, SpaceId};

impl Map {
    /// The strings of spaces that a road runs through: all that go by its name are one road.
    pub fn parts_of(&self, road: usize) -> impl Iterator<Item = &[SpaceId]> {
        let name = &self.roads[road].name;
        self.roads.iter().filter(move |r| r.name == *name).map(|r| r.along.as_slice())
    }

    /// How many steps every space of a road is from one of its spaces, along it; those that it does not join are left
    /// out.
    pub fn steps_along(&self, road: usize, goal: SpaceId) -> BTreeMap<SpaceId, usize> {
        let mut steps = BTreeMap::from([(goal, 0)]);
        let mut reached = VecDeque::from([goal]);
        while let Some(here) = reached.pop_front() {
            let next = self.parts_of(road).flat_map(|part| part.windows(2)).filter_map(|step| match *step {
                [a, b] if a == here => Some(b),
                [a, b] if b == here => Some(a),
                _ => None,
            });
            let far = steps[&here] + 1;
            for space in next.collect::<Vec<_>>() {
                if let btree_map::Entry::Vacant(unseen) = steps.entry(space) {
                    unseen.insert(far);
                    reached.push_back(space);
                }
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use crate::{diagnostic::Diagnostics, map::load, yaml};

    #[test]
    fn roads_of_one_name_are_gone_along_as_one() {
        let text = "map: m\ngrid: { kind: axial, radius: 4 }\nroad-kinds: [lane]\nroads:\n\
                    - { id: a, name: Lane, kind: lane, along: [\"0:0\", \"1:0\", \"2:0\"] }\n\
                    - { id: b, name: Lane, kind: lane, along: [\"1:0\", \"1:1\", \"1:2\"] }\n\
                    - { id: c, name: Lane, kind: lane, along: [\"-3:0\", \"-2:0\"] }\n";
        let mut found = Diagnostics::default();
        let map = load(&yaml::parse("m.yaml", text, &mut found), &mut found).expect("a map");
        assert!(found.list.is_empty(), "{:?}", found.list);
        let at = |name: &str| map.find(name).expect("on the map");
        let steps = map.steps_along(0, at("1:2"));
        let far = |name: &str| steps.get(&at(name)).copied();
        assert_eq!((far("1:2"), far("1:0"), far("2:0"), far("0:0")), (Some(0), Some(2), Some(3), Some(3)));
        assert_eq!(far("-2:0"), None, "nothing joins it");
        assert_eq!(map.parts_of(1).count(), 3);
    }
}
