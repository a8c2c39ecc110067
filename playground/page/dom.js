// dom: elements. All text becomes text nodes.
const find = (id) => document.getElementById(id);

function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
