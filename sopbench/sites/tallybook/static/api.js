// Calls to the server. Whoever is not signed in any more is led to the sign-in page.

export class Problem extends Error {}

export async function request(method, path, body) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body ? JSON.stringify(body) : undefined,
  }).catch(() => {
    throw new Problem("We couldn’t reach Tallybook. Check your connection and try again.");
  });
  const answer = await response.json().catch(() => ({}));
  if (response.status === 401 && path !== "/session") {
    location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
    return new Promise(() => {});
  }
  if (!response.ok) throw new Problem(answer.error ?? "Something went wrong on our side.");
  return answer;
}

export const get = (path) => request("GET", path);
