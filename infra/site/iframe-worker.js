// Browsers start no worker for a page opened from disk. There, a hidden frame runs its script, for the site's search.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.onload = () => this.start(url);
      document.body.append(this.frame);
    }

    start(url) {
      const inside = this.frame.contentWindow;
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = url;
      script.onload = () => {
        this.postMessage = data => inside.dispatchEvent(new MessageEvent("message", { data }));
        this.waiting.splice(0).forEach(this.postMessage);
      };
      inside.document.body.append(script);
    }

    postMessage(data) {
      this.waiting.push(data);
    }

    terminate() {
      this.frame.remove();
    }
  };
}
