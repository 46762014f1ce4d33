mod both;
