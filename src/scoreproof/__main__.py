from scoreproof.cli import main

main()
