"""Figures about rankings: what proves them impossible, and rankings that give them."""
