//! The program; everything that it does is in the library, where tests reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    netburn::main()
}
