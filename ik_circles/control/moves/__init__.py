"""How an arm is moved: from what is asked of it to what is sent, one motion at a time."""
