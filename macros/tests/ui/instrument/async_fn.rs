#[insyn::instrument]
mod later {
    pub async fn serve() {
        other().await;
    }

    async fn other() {}

    pub fn block() {
        let _ = async {};
        let _ = async || ();
    }
}

fn main() {}
