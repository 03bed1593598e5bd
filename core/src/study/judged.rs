//! What examples say of players: what one of them would answer to the waiting question, and what it would not.

use super::{
    acting::{Acting, fail},
    careful::Budget,
    example::Failure,
    player::Player,
};
use crate::{
    play::{Action, Rules},
    ruleset::Kind,
    show::{Sight, read_action},
    yaml::Node,
};

/// How far a player may look ahead in an example, which anybody may have written.
const MOST_NODES: u32 = 50_000;

impl<R: Rules> Acting<R> {
    /// `would: { plain: ["to 2:0", stay] }`: whatever it likes most is one of these; `would-not:` says that none of these is
    /// among what it likes most. A verb alone stands for all answers of that verb.
    pub(super) fn would(&mut self, node: &Node, wanted: bool) -> Result<(), Failure> {
        for (name, lines) in node.entries(&mut self.found).to_vec() {
            let player = Player::parse(&name.as_text(&mut self.found));
            let ruleset = self.session.ruleset().clone();
            if let Err(wrong) = player.fits(&ruleset) {
                return fail(&name.span, wrong);
            }
            if matches!(player, Player::Careful(Budget::Nodes(nodes)) if nodes > MOST_NODES) {
                let message = format!("`{player}` thinks too long for an example: {MOST_NODES} nodes are the most");
                return fail(&name.span, message);
            }
            if player == Player::Random || !player.is_repeatable() {
                let message =
                    format!("nobody knows what `{player}` would answer: name a player who answers the same again");
                return fail(&name.span, message);
            }
            self.question(&name.span)?;
            let liked = player.likes(&mut self.session).or_else(|wrong| fail(&name.span, wrong.to_string()))?;
            let mut named = vec![false; liked.len()];
            let answers = lines.items(&mut self.found).to_vec();
            if answers.is_empty() {
                return fail(&lines.span, format!("no answer of `{player}` is named"));
            }
            for line in answers {
                let is_meant = self.meant(&line)?;
                named.iter_mut().zip(&liked).for_each(|(named, action)| *named |= is_meant(*action));
            }
            if let Some(at) = named.iter().position(|named| *named != wanted) {
                let verb = &ruleset.verbs[usize::from(liked[at].verb)];
                let values = verb.takes.iter().zip(liked[at].values);
                let names = values.map(|(kind, value): (&Kind, i32)| ruleset.id_of(*kind, value));
                let said: Vec<String> = [verb.id.clone()].into_iter().chain(names).collect();
                return fail(&lines.span, format!("`{player}` would answer `{}`", said.join(" ")));
            }
        }
        Ok(())
    }

    /// Which answers a line means, which must be among what is offered.
    fn meant(&mut self, line: &Node) -> Result<impl Fn(Action) -> bool + use<R>, Failure> {
        let text = line.as_text(&mut self.found);
        let question = self.question(&line.span)?;
        let ruleset = self.session.ruleset();
        let of_verb = ruleset.verb(&text).filter(|verb| !ruleset.verbs[*verb].takes.is_empty());
        let one = match of_verb {
            Some(_) => None,
            None => match read_action(self.session.game(), &question, &text, Sight::ALL) {
                Ok((action, rest)) if rest.is_empty() => Some(action),
                Ok((_, rest)) => return fail(&line.span, format!("a player gives one answer; `{rest}` is left over")),
                Err(wrong) => return fail(&line.span, wrong.to_string()),
            },
        };
        let is_meant = move |action: Action| match one {
            Some(one) => one == action,
            None => Some(usize::from(action.verb)) == of_verb,
        };
        if !self.session.offers().iter().any(|action| is_meant(*action)) {
            return fail(&line.span, format!("`{text}` is not offered, so nobody could answer it"));
        }
        Ok(is_meant)
    }
}
