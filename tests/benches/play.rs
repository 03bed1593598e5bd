//! What play costs: the figures the project promises, measured side by side in one run.

fn main() {
    divan::main();
}
