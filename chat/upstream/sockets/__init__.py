"""HTTP/1.1 to the model's side: a transport of httpx on the event loop's own sockets."""
