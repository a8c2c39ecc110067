// minimap: the whole graph in a corner, and the part of it that is in sight.
const minimap = (() => {
  const WIDEST = 190;
  const HIGHEST = 130;

  class Minimap {
    constructor(owner, canvas) {
      this.graph = owner;
      this.canvas = canvas;
      const go = (event) => {
        const { left, top } = this.canvas.getBoundingClientRect();
        const [w, h] = owner.room;
        const { scale } = owner.view;
        const of = (at, room) => room / 2 - (at / this.scale) * scale;
        owner.fitted = null;
        owner.move({ x: of(event.clientX - left, w), y: of(event.clientY - top, h) });
      };
      this.canvas.addEventListener("pointerdown", (event) => {
        event.stopPropagation();
        this.canvas.setPointerCapture(event.pointerId);
        go(event);
      });
      this.canvas.addEventListener("pointermove", (event) => {
        event.stopPropagation();
        if (event.buttons > 0) go(event);
      });
      this.canvas.addEventListener("click", (event) => event.stopPropagation());
    }

    // The lines of a drawing, which stay.
    arrange() {
      const { width, height } = this.graph.size;
      this.scale = Math.min(WIDEST / width, HIGHEST / height);
      const [w, h] = [Math.ceil(width * this.scale), Math.ceil(height * this.scale)];
      Object.assign(this.canvas, { width: w * devicePixelRatio, height: h * devicePixelRatio });
      this.canvas.style.width = `${w}px`;
      this.canvas.style.height = `${h}px`;
      this.lines = new Path2D();
      for (const { points } of this.graph.edges)
        points.forEach(([x, y], i) =>
          i === 0 ? this.lines.moveTo(x, y) : this.lines.lineTo(x, y),
        );
    }

    draw() {
      const { graph: g, canvas } = this;
      const { x, y, scale } = g.view;
      const [w, h] = g.room;
      // where a half is in sight, the map would hide more than it shows
      const isSmall = 2 * w * h >= g.size.width * g.size.height * scale ** 2;
      canvas.classList.toggle("hidden", isSmall);
      if (isSmall) return;
      const pen = canvas.getContext("2d");
      const colour = (name) => g.colours.getPropertyValue(`--${name}`);
      const pixel = 1 / this.scale;
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.clearRect(0, 0, canvas.width, canvas.height);
      const size = this.scale * devicePixelRatio;
      pen.setTransform(size, 0, 0, size, 0, 0);
      pen.lineWidth = pixel / 3;
      pen.strokeStyle = colour("line");
      pen.stroke(this.lines);
      const fill = (name, node, least) => {
        const wide = Math.max(node.width, least * pixel);
        pen.fillStyle = colour(name);
        pen.fillRect(node.x, node.y, wide, Math.max(node.height, least * pixel));
      };
      const touched = [];
      for (const node of g.nodes) {
        if (node.blocks.some((b) => g.boxes.touched.blocks.has(b.id))) touched.push(node);
        else if (node.blocks.some((b) => g.m.isBlockThere(b, g.app.time))) fill("strong", node, 1);
      }
      for (const node of touched) fill("touched-line", node, 4);
      pen.lineWidth = 1.5 * pixel;
      pen.strokeStyle = colour("accent");
      pen.strokeRect(-x / scale, -y / scale, w / scale, h / scale);
    }
  }

  return { Minimap };
})();
