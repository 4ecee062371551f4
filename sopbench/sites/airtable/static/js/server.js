// Requests to the server.

export class ServerError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export async function request(path, body) {
  const options = { credentials: "same-origin", cache: "no-store", headers: { "X-Requested-With": "XMLHttpRequest" } };
  if (body !== undefined) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    options.keepalive = options.body.length < 20_000; // so that leaving the page does not cut a write off; browsers limit the size
    options.headers["Content-Type"] = "application/json";
  }
  const response = await fetch(path, options);
  if (response.status === 401 && !path.startsWith("/auth/")) {
    location.assign("/login?continue=" + encodeURIComponent(location.pathname));
  }
  if (!response.ok) {
    const answer = await response.json().catch(() => ({}));
    throw new ServerError(response.status, answer.error?.message ?? answer.error ?? response.statusText);
  }
  return response.json();
}
