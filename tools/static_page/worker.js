// Python with the package inside; one question at a time.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const answer = (async () => {
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  const [wheel, inside] = await Promise.all([fetch("scoreproof.whl"), fetch("inside.py")]);
  python.unpackArchive(await wheel.arrayBuffer(), "wheel");
  python.FS.writeFile("/home/pyodide/inside.py", await inside.text());
  return python.pyimport("inside").answer;
})();
answer.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: String(error) }),
);
onmessage = async ({ data }) => postMessage({ id: data.id, answer: (await answer)(data.kind, data.text) });
