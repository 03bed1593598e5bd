//! The program is built anew when a file is added to the content that it carries.

fn main() {
    println!("cargo::rerun-if-changed=../maps");
    println!("cargo::rerun-if-changed=../rulesets");
}
