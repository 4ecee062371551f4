// The text of the editor: a line is a <div>, an empty line a <div> with a <br>.

import { h } from "./dom.js";

export function showText(editor, text) {
  const lines = text.split("\n").map((line) => h("div", {}, line || h("br")));
  editor.replaceChildren(...(text ? lines : [h("br")]));
}

// As it is seen, whichever way it came in: typed, pasted, or put there in one go.
export function plainText(editor) {
  const lines = [];
  let line = null;
  const end = () => {
    if (line !== null) lines.push(line);
    line = null;
  };
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) line = (line ?? "") + child.data;
      else if (child.nodeName === "BR") {
        line ??= "";
        end();
      } else if (/^(DIV|P|LI|UL|OL|BLOCKQUOTE)$/.test(child.nodeName)) {
        end();
        walk(child);
        end();
      } else walk(child);
    }
  };
  walk(editor);
  end();
  return lines.join("\n").replaceAll("\u00a0", " ").trimEnd();
}
