# Varnish in front of Daybook with DAYBOOK_CACHE_SECONDS, kept up to date by `daybook purge http://127.0.0.1:6081`.
vcl 4.1;

import std;

backend daybook {
  .host = "127.0.0.1";
  .port = "8080";
  .probe = {
    .url = "/readyz?for=reads";
    .interval = 2s;
    .timeout = 1s;
    .window = 3;
    .threshold = 2;
  }
}

# Who may purge: where `daybook purge` runs.
acl purgers {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(405, "Not allowed"));
    }
    if (req.http.Surrogate-Key == "*") {
      ban("obj.status != 0");
    } elsif (req.http.Surrogate-Key ~ "^[a-z]+(-[0-9]+)?( [a-z]+(-[0-9]+)?)*$") {
      ban("obj.http.Surrogate-Key ~ \b(" + regsuball(req.http.Surrogate-Key, " ", "|") + ")\b");
    } else {
      return (synth(400, "Surrogate-Key must have the names of answers"));
    }
    return (synth(200, "Forgotten"));
  }

  # For operators alone.
  if (req.url ~ "^/(healthz|readyz|metrics)(\?|$)") {
    return (synth(404));
  }

  # Only the desk and forms have cookies of their own; those of others must not keep answers from being shared.
  if (req.url !~ "^/(desk|submit)(/|\?|$)") {
    unset req.http.Cookie;
  }

  # While Daybook is well, nothing is shown that is more than half a minute too old.
  if (req.restarts == 0 && std.healthy(req.backend_hint)) {
    set req.grace = 30s;
  }
}

sub vcl_backend_response {
  # A failure in the background leaves what is there.
  if (beresp.status >= 500 && bereq.is_bgfetch) {
    return (abandon);
  }
  # Shown for a day while Daybook is away.
  if (beresp.http.Cache-Control ~ "stale-if-error=86400") {
    set beresp.grace = 24h;
  }
  # Readers of streams get what is written as it is written.
  set beresp.do_stream = true;
}

sub vcl_deliver {
  # Another try, with all that is there, however old.
  if (resp.status >= 500 && req.restarts == 0 && req.method ~ "^(GET|HEAD)$") {
    return (restart);
  }
}

sub vcl_synth {
  if (resp.status == 503 && req.restarts == 0) {
    return (restart);
  }
}
